import { Paper, Stack, Switch } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { findingsQuery } from "../../api/operator.ts";
import { Page } from "../../ui/page.tsx";
import { Empty, Shown } from "../../ui/states.tsx";
import { FindingTable } from "./finding-table.tsx";

export function FindingsPage() {
  const findings = useQuery(findingsQuery);
  const [showsClosed, setShowsClosed] = useState(false);
  return (
    <Page title="Findings" description="A job looks once a day for clicks that honest visitors would not make. An open finding holds the account's payouts until you decide.">
      <Shown of={findings} height={280}>
        {(answer) => {
          const open = answer.findings.filter(({ closed_at }) => closed_at === null);
          const shown = showsClosed ? answer.findings : open;
          const closed = answer.findings.length - open.length;
          return (
            <Stack gap="md">
              {shown.length > 0 ? (
                <Paper withBorder p="sm"><FindingTable findings={shown} /></Paper>
              ) : (
                <Empty title="Nothing to decide">When the clicks of an account look unlike those of people, a finding appears here with what was seen. Until you close it nothing is paid to that account.</Empty>
              )}
              {closed > 0 && <Switch label={`Show ${closed} that ${closed === 1 ? "is" : "are"} closed`} checked={showsClosed} onChange={(event) => setShowsClosed(event.currentTarget.checked)} />}
            </Stack>
          );
        }}
      </Shown>
    </Page>
  );
}
