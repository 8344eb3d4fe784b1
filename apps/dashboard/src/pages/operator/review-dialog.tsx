import { Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { reviewAccount } from "../../api/operator-integrity.ts";
import { formatUsd } from "../../ui/format.ts";
import { ActionDialog } from "./action-dialog.tsx";

/** The API's limit. */
const monthlyUsdMax = 10_000_000;

type Props = { accountId: string; email: string; suggestedUsd: number; onClose: () => void };

export function ReviewDialog({ accountId, email, suggestedUsd, onClose }: Props) {
  const [text, setText] = useState(String(suggestedUsd));
  return (
    <ActionDialog
      title={`Review ${email}`}
      confirm={`Set ${formatUsd(Number(text))} a month`}
      reason={{ label: "Reason" }}
      act={(reason) => reviewAccount({ accountId, monthly_usd: Number(text), reason })}
      done="Review saved."
      onClose={onClose}
    >
      <Text inherit>Up to this sum of what each month's calls and clicks earn becomes payable without another review. It replaces the limit for accounts that nobody has looked at, until the next review.</Text>
      <TextInput
        label="Payable per month (USD)"
        description="The suggested sum makes payable everything that waits now."
        type="number"
        inputMode="decimal"
        min={0}
        max={monthlyUsdMax}
        step="any"
        required
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </ActionDialog>
  );
}
