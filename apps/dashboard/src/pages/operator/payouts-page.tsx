import { useNavigate, useSearch } from "@tanstack/react-router";
import { Page } from "../../ui/page.tsx";
import { CandidatesPanel } from "./candidates-panel.tsx";
import { PayeeChangesPanel } from "./payee-panels.tsx";
import { payoutStatuses, PayoutsPanel } from "./payouts-panel.tsx";

export function PayoutsPage() {
  const search = useSearch({ from: "/account/operator/payouts" });
  const navigate = useNavigate();
  const status = payoutStatuses.find((each) => each === search.status);
  return (
    <Page title="Payouts" description="From earnings to completed bank transfers. Every step is in the audit log, and every movement of money is in the ledger.">
      <CandidatesPanel />
      <PayeeChangesPanel />
      <PayoutsPanel status={status} onFilter={(next) => void navigate({ to: "/operator/payouts", search: next === "" ? {} : { status: next }, replace: true, resetScroll: false })} />
    </Page>
  );
}
