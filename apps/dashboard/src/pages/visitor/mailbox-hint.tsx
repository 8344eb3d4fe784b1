import { Alert, Anchor, Text } from "@mantine/core";
import { IconMailbox } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { optionsQuery } from "../../api/account.ts";

/**
 * Shown only if the server offers the local mailbox, which it does to browsers on the same machine. The address has no
 * token: a browser opens the printed link once, and a cookie does the rest.
 */
export function MailboxHint() {
  const { data } = useQuery(optionsQuery);
  if (!data || data.mailbox === null) return null;
  return (
    <Alert icon={<IconMailbox />} variant="light" color="verdigris">
      <Text size="sm">
        Emails are kept on this machine and not sent. <Anchor href={data.mailbox} inherit>Open the local mailbox</Anchor>. The first time, use the link that was printed when
        Assay started.
      </Text>
    </Alert>
  );
}
