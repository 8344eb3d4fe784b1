import { Alert, Anchor, Text } from "@mantine/core";
import { IconMailbox } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { optionsQuery } from "../../api/account.ts";

/** An installation on this machine sends no mail: it keeps it, and shows it to whoever sits here. */
export function MailboxHint() {
  const { data } = useQuery(optionsQuery);
  if (!data || data.mailbox === null) return null;
  return (
    <Alert icon={<IconMailbox />} variant="light" color="verdigris">
      <Text size="sm">Emails are kept on this machine and not sent. <Anchor href={data.mailbox} inherit>Open the local mailbox</Anchor></Text>
    </Alert>
  );
}
