import { Alert, Text } from "@mantine/core";
import { IconFlag } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { ownFindingsQuery } from "../../api/findings.ts";
import { TextLink } from "../../ui/link-button.tsx";

export function FindingBanner() {
  const { data } = useQuery(ownFindingsQuery);
  const open = (data?.findings ?? []).filter(({ closed_at }) => closed_at === null);
  if (open.length === 0) return null;
  return (
    <Alert color="red" variant="light" icon={<IconFlag />} title={open.length === 1 ? "A finding is open" : `${open.length} findings are open`}>
      <Text size="sm">{open.map(({ title }) => title).join("; ")}. Nothing more is confirmed or paid out until it is decided. <TextLink to="/findings" inherit>See what was found and answer</TextLink>.</Text>
    </Alert>
  );
}
