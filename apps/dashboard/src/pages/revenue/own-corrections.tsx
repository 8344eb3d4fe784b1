import { useQuery } from "@tanstack/react-query";
import { ownCorrectionsQuery } from "../../api/revenue.ts";
import { CorrectionTable } from "../../ui/correction-table.tsx";
import { Panel } from "../../ui/panel.tsx";

/** Shown once there is one: most accounts never have any. */
export function OwnCorrections() {
  const { data } = useQuery(ownCorrectionsQuery);
  if (!data || data.corrections.length === 0) return null;
  return <Panel title="Deposits and adjustments" hint="Booked by the operator, with the reason."><CorrectionTable corrections={data.corrections} /></Panel>;
}
