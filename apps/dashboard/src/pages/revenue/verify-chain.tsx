import { Alert, Button, Group, Progress, Stack, Text } from "@mantine/core";
import { IconShieldCheck, IconShieldX } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { type LedgerVerdict, readLedgerPage, verifyLedger } from "../../api/ledger.ts";
import { Copyable } from "../../ui/copy.tsx";
import { formatCount, formatCountOf, formatMicroUsd } from "../../ui/format.ts";
import { FormError } from "../../ui/states.tsx";

const problemTexts: Record<Extract<LedgerVerdict, { kind: "broken" }>["problem"], string> = {
  missing_entry: "the entry before it is missing",
  broken_link: "it does not link to the previous entry",
  changed_entry: "its content does not match its hash",
  older_than_before: "it is older than the previous entry",
  does_not_add_up: "its amounts do not add up",
  head_differs: "the chain does not end where the server says it does",
};

function Verdict({ verdict }: { verdict: LedgerVerdict }) {
  if (verdict.kind === "broken") {
    return (
      <Alert color="red" icon={<IconShieldX />} title="The chain is broken" role="alert">
        <Text size="sm">Entry {formatCount(verdict.seq)}: {problemTexts[verdict.problem]}. Keep your receipts and contact the operator.</Text>
      </Alert>
    );
  }
  return (
    <Alert color="verdigris" variant="light" icon={<IconShieldCheck />} title="The chain is intact" role="status">
      <Stack gap={6}>
        <Text size="sm">{formatCountOf(verdict.entries, "entry", "entries")} verified in this browser. Balance: {formatMicroUsd(verdict.balanceMicroUsd)}.</Text>
        <Group gap="xs"><Text size="sm">Head</Text><Copyable text={`${verdict.entries}.${verdict.headHash}`} shown={`${verdict.entries}.${verdict.headHash.slice(0, 20)}…`} label="Copy head" /></Group>
      </Stack>
    </Alert>
  );
}

export function VerifyChain() {
  const [progress, setProgress] = useState({ done: 0, total: 0 });
  const verify = useMutation({
    mutationFn: () => verifyLedger(readLedgerPage, (done, total) => setProgress({ done, total })),
    onMutate: () => setProgress({ done: 0, total: 0 }),
  });
  const share = progress.total === 0 ? 0 : progress.done / progress.total;
  return (
    <Stack gap="sm" align="flex-start">
      <Button variant="default" leftSection={<IconShieldCheck size={16} />} loading={verify.isPending} onClick={() => verify.mutate()}>Verify chain in this browser</Button>
      {verify.isPending && (
        <Stack gap={4} w="100%">
          <Progress value={share * 100} aria-label="Verification progress" />
          <Text size="xs" c="dimmed">{formatCount(progress.done)} of {formatCount(progress.total)} entries</Text>
        </Stack>
      )}
      <FormError error={verify.error} />
      {verify.data && <Verdict verdict={verify.data} />}
    </Stack>
  );
}
