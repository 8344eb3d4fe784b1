import { Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { ownFindingsQuery } from "../../api/findings.ts";
import { Page } from "../../ui/page.tsx";
import { EmptyState, QueryView } from "../../ui/states.tsx";
import { FindingCard } from "./finding-card.tsx";

export function OwnFindingsPage() {
  const findings = useQuery(ownFindingsQuery);
  return (
    <Page title="Findings" description="Where your traffic does not look like visits. While a finding is open, nothing more is confirmed or paid out. Your keys go on working.">
      <QueryView query={findings} height={280}>
        {(answer) =>
          answer.findings.length === 0 ? (
            <EmptyState title="No findings">Traffic is checked every hour. If something in yours cannot be explained by visits, it appears here with what was found, and you can answer.</EmptyState>
          ) : (
            <Stack gap="md">{answer.findings.map((finding) => <FindingCard key={finding.id} finding={finding} />)}</Stack>
          )
        }
      </QueryView>
    </Page>
  );
}
