import type { Payout } from "@assay/contract/dashboard/operator.ts";
import { Text } from "@mantine/core";
import { approvePayouts } from "../../api/operator.ts";
import { formatCountOf, formatExactUsd } from "../../ui/format.ts";
import { ActionDialog } from "./action-dialog.tsx";

const microPerUsd = 1_000_000;
const sumUsd = (payouts: readonly Payout[]): number => payouts.reduce((sum, { amount_usd }) => sum + Math.round(amount_usd * microPerUsd), 0) / microPerUsd;

/** Approves what can be approved; each refusal keeps its payout proposed and says why. */
export function ApproveDialog({ payouts, onRefused, onClose }: { payouts: readonly Payout[]; onRefused: (messages: readonly string[]) => void; onClose: () => void }) {
  const act = async () => {
    const { outcomes } = await approvePayouts(payouts.map(({ id }) => id));
    const emailOf = new Map(payouts.map(({ id, email }) => [id, email ?? id]));
    const refused = outcomes.filter(({ outcome }) => outcome !== "approved");
    onRefused(refused.map(({ id, outcome, message }) => `${emailOf.get(id)}: ${message ?? outcome}`));
    return outcomes.length - refused.length;
  };
  return (
    <ActionDialog
      title={`Approve ${formatCountOf(payouts.length, "payout", "payouts")}?`}
      confirm="Approve"
      act={act}
      done={(approved) => `${formatCountOf(approved, "payout", "payouts")} approved.`}
      onClose={onClose}
    >
      <Text inherit>{formatCountOf(payouts.length, "payout", "payouts")} totalling <strong>{formatExactUsd(sumUsd(payouts))}</strong>. Each is checked again: holds, findings, balance, funding and a changed payee.</Text>
      <Text inherit>They are included in the next bank file. No money moves yet, and you can still return them.</Text>
    </ActionDialog>
  );
}
