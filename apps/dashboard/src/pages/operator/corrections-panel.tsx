import { Button, Group, NativeSelect, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { bookAdjustment, bookDeposit, correctionsQuery } from "../../api/operator.ts";
import { CorrectionTable } from "../../ui/correction-table.tsx";
import { formatExactUsd } from "../../ui/format.ts";
import { Panel } from "../../ui/panel.tsx";
import { QueryView } from "../../ui/states.tsx";
import { ActionDialog } from "./action-dialog.tsx";

type DialogProps = { accountId: string; onClose: () => void };

function AmountInput({ value, onChange, min }: { value: string; onChange: (text: string) => void; min?: number }) {
  const bounds = min === undefined ? {} : { min };
  return <TextInput label="Amount (USD)" type="number" inputMode="decimal" step="any" required {...bounds} value={value} onChange={(event) => onChange(event.currentTarget.value)} />;
}

function DepositDialog({ accountId, onClose }: DialogProps) {
  const [usd, setUsd] = useState("");
  return (
    <ActionDialog
      title="Book a deposit"
      confirm="Book deposit"
      reason={{ label: "Note for the developer (optional)", isOptional: true }}
      act={(reason) => bookDeposit({ accountId, usd: Number(usd), ...(reason !== "" && { reason }) })}
      done={`Deposit of ${formatExactUsd(Number(usd))} booked.`}
      onClose={onClose}
    >
      <Text inherit>Money that the developer paid you, to be spent on calls. It is never paid out. Book it only once you have it: the entry is permanent.</Text>
      <AmountInput value={usd} onChange={setUsd} min={0.000001} />
    </ActionDialog>
  );
}

const moneys = [{ value: "earnings", label: "Earnings: what can be paid out" }, { value: "prepaid", label: "Prepaid: what calls are charged to" }];

function AdjustDialog({ accountId, onClose }: DialogProps) {
  const [usd, setUsd] = useState("");
  const [on, setOn] = useState("earnings");
  return (
    <ActionDialog
      title="Book an adjustment"
      confirm="Book adjustment"
      isDangerous={Number(usd) < 0}
      reason={{ label: "Reason" }}
      act={(reason) => bookAdjustment({ accountId, usd: Number(usd), reason, on: on === "prepaid" ? "prepaid" : "earnings" })}
      done={`Adjustment of ${formatExactUsd(Number(usd))} booked.`}
      onClose={onClose}
    >
      <Text inherit>Corrects the account's money up or, with a minus, down. The entry is permanent, and the developer reads your reason: do not name a person in it.</Text>
      <AmountInput value={usd} onChange={setUsd} />
      <NativeSelect label="Money" data={moneys} value={on} onChange={(event) => setOn(event.currentTarget.value)} />
    </ActionDialog>
  );
}

export function CorrectionsPanel({ accountId }: { accountId: string }) {
  const corrections = useQuery(correctionsQuery(accountId));
  const [dialog, setDialog] = useState<"deposit" | "adjustment">();
  const close = () => setDialog(undefined);
  return (
    <Panel
      title="Deposits and adjustments"
      hint={corrections.data && `${formatExactUsd(corrections.data.spendable_usd)} can be spent on calls where the developer pays for them.`}
      aside={
        <Group gap="xs">
          <Button variant="default" onClick={() => setDialog("deposit")}>Deposit</Button>
          <Button variant="default" onClick={() => setDialog("adjustment")}>Adjust</Button>
        </Group>
      }
    >
      <QueryView query={corrections} height={80}>{(answer) => <CorrectionTable corrections={answer.corrections} />}</QueryView>
      {dialog === "deposit" && <DepositDialog accountId={accountId} onClose={close} />}
      {dialog === "adjustment" && <AdjustDialog accountId={accountId} onClose={close} />}
    </Panel>
  );
}
