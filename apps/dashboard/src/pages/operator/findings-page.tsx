import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { findingsQuery } from "../../api/operator-integrity.ts";
import { Page } from "../../ui/page.tsx";
import { EmptyState, QueryView } from "../../ui/states.tsx";
import { OpenFindingDialog } from "./finding-dialogs.tsx";
import { FindingList } from "./finding-list.tsx";

export function FindingsPage() {
  const findings = useQuery(findingsQuery);
  const [isOpening, opening] = useDisclosure(false);
  return (
    <Page
      title="Findings"
      description="Calls and clicks that visits do not explain. While one is open, nothing more of that account is confirmed or paid out."
      actions={<Button variant="default" onClick={opening.open}>Open a finding</Button>}
    >
      <QueryView query={findings} height={280}>
        {(answer) => (
          <FindingList
            findings={answer.findings}
            empty={<EmptyState title="No open findings">Every account's traffic is checked every hour. When its evidence reaches the threshold, a finding appears here with what was found, the days and example sessions.</EmptyState>}
          />
        )}
      </QueryView>
      {isOpening && <OpenFindingDialog onClose={opening.close} />}
    </Page>
  );
}
