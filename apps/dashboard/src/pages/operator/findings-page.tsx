import { Paper, Stack, Switch } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { findingsQuery } from "../../api/operator.ts";
import { formatCountOf } from "../../ui/format.ts";
import { Page } from "../../ui/page.tsx";
import { EmptyState, QueryView } from "../../ui/states.tsx";
import { FindingTable } from "./finding-table.tsx";

export function FindingsPage() {
  const findings = useQuery(findingsQuery);
  const [showsClosed, setShowsClosed] = useState(false);
  return (
    <Page title="Findings" description="A daily job looks for clicks that genuine visitors would not make. An open finding holds the account's payouts until you close it.">
      <QueryView query={findings} height={280}>
        {(answer) => {
          const open = answer.findings.filter(({ closed_at }) => closed_at === null);
          const shown = showsClosed ? answer.findings : open;
          const closed = answer.findings.length - open.length;
          return (
            <Stack gap="md">
              {shown.length > 0 ? (
                <Paper withBorder p="sm"><FindingTable findings={shown} /></Paper>
              ) : (
                <EmptyState title="No open findings">When an account's clicks do not look like those of people, a finding appears here with the details. The account is not paid until you close it.</EmptyState>
              )}
              {closed > 0 && <Switch label={`Show ${formatCountOf(closed, "closed finding", "closed findings")}`} checked={showsClosed} onChange={(event) => setShowsClosed(event.currentTarget.checked)} />}
            </Stack>
          );
        }}
      </QueryView>
    </Page>
  );
}
