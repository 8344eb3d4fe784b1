import { topicTexts } from "@assay/contract/dashboard/notice-topics.ts";
import type { NoticesReply } from "@assay/contract/dashboard/notices.ts";
import { Checkbox, Stack, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { changeNotices, noticesQuery } from "../../api/settings.ts";
import { Panel } from "../../ui/panel.tsx";
import { FormError, QueryView } from "../../ui/states.tsx";

const hint =
  "Several events become one mail: the first after two minutes, later ones at most once an hour, about security at most every ten minutes. " +
  "Payout holds, findings, reversed calls, changed payout details and statements have a mail of their own, which always comes.";

function TopicList({ topics }: NoticesReply) {
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: changeNotices,
    onSuccess(answer) {
      queries.setQueryData(noticesQuery.queryKey, answer);
      notifications.show({ message: "Settings saved.", color: "verdigris" });
    },
  });
  return (
    <Stack gap="md">
      <FormError error={change.error} />
      {topics.map(({ topic, wanted, mandatory }) => (
        <Checkbox
          key={topic}
          label={mandatory ? <Text span inherit c="var(--mantine-color-text)">{topicTexts[topic].title} (always on)</Text> : topicTexts[topic].title}
          description={topicTexts[topic].explanation}
          checked={change.isPending && change.variables.topic === topic ? change.variables.wanted : wanted}
          disabled={mandatory || change.isPending}
          onChange={(event) => change.mutate({ topic, wanted: event.currentTarget.checked })}
        />
      ))}
    </Stack>
  );
}

export function NoticesTab() {
  const notices = useQuery(noticesQuery);
  return (
    <QueryView query={notices} height={320}>
      {(answer) => <Panel title="Notices by mail" hint={hint}><TopicList {...answer} /></Panel>}
    </QueryView>
  );
}
