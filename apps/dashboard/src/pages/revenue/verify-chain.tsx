import type { Finding, Step } from "@assay/tlog/examine-receipt.ts";
import { Alert, Button, Group, List, Progress, Stack, Text, ThemeIcon } from "@mantine/core";
import { IconCheck, IconDownload, IconMinus, IconShieldCheck, IconShieldX, IconX } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { type LedgerVerdict, readLedgerPage } from "../../api/ledger.ts";
import { browserMemory, type FullVerdict, logSource, verifyAll } from "../../api/ledger-log.ts";
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

const stepNames: Record<Step, string> = {
  inclusion: "In the log",
  signature: "Signature",
  witnesses: "Witnesses",
  consistency: "Same log as before",
  history: "Same entries as before",
};

type Line = { name: string; verdict: Finding["verdict"]; sentence: string };

function chainLine(chain: LedgerVerdict): Line {
  const name = "Chain";
  if (chain.kind === "broken") return { name, verdict: "fails", sentence: `Entry ${formatCount(chain.seq)}: ${problemTexts[chain.problem]}.` };
  return { name, verdict: "holds", sentence: `${formatCountOf(chain.entries, "entry", "entries")} verified in this browser. Balance: ${formatMicroUsd(chain.balanceMicroUsd)}.` };
}

const withoutLog: Record<Exclude<FullVerdict["log"]["kind"], "examined">, string> = {
  unpublished: "This installation does not publish its log, so nothing outside of it confirms the chain.",
  nothing_logged: "None of your entries is in the log yet. They are within a minute.",
  not_examined: "Not compared, because the chain is broken.",
};

function linesOf({ chain, log }: FullVerdict): Line[] {
  if (log.kind !== "examined") return [chainLine(chain), { name: stepNames.inclusion, verdict: "open", sentence: withoutLog[log.kind] }];
  return [chainLine(chain), ...log.examination.findings.map(({ step, verdict, sentence }) => ({ name: stepNames[step], verdict, sentence }))];
}

const looks = {
  holds: { color: "verdigris", icon: <IconCheck size={14} />, word: "holds" },
  fails: { color: "red", icon: <IconX size={14} />, word: "fails" },
  open: { color: "gray", icon: <IconMinus size={14} />, word: "not decided" },
};

function Steps({ lines }: { lines: readonly Line[] }) {
  return (
    <List spacing={6} size="sm" center={false} data-testid="verification">
      {lines.map(({ name, verdict, sentence }) => (
        <List.Item key={name} icon={<ThemeIcon size={20} radius="xl" variant="light" color={looks[verdict].color} aria-label={looks[verdict].word} role="img">{looks[verdict].icon}</ThemeIcon>}>
          <Text span size="sm" fw={650}>{name}.</Text> {sentence}
        </List.Item>
      ))}
    </List>
  );
}

/** Offers the text as a file, exactly as it was verified. */
function saveFile(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

/** Of a contradiction also the proof that this browser had kept: the two together may convince others. */
function Files({ log, isContradiction }: { log: FullVerdict["log"]; isContradiction: boolean }) {
  if (log.kind !== "examined") return null;
  const { proof, receipt, evidence, kept } = log.examination;
  const [before, now] = evidence ?? [isContradiction ? kept.proof : undefined, proof];
  const files = [
    ...(before === undefined ? [] : [{ label: "Save the proof from before", name: "assay-before.tlog-proof", text: before }]),
    ...(now === undefined ? [] : [{ label: before === undefined ? "Save the proof" : "Save the proof from now", name: `assay-entry-${receipt?.seq ?? "now"}.tlog-proof`, text: now }]),
  ];
  return (
    <Group gap="xs">
      {files.map(({ label, name, text }) => (
        <Button key={name} size="xs" variant="default" leftSection={<IconDownload size={14} />} onClick={() => saveFile(name, text)}>{label}</Button>
      ))}
    </Group>
  );
}

function Verdict({ verdict }: { verdict: FullVerdict }) {
  const { chain } = verdict;
  const lines = linesOf(verdict);
  if (lines.some((line) => line.verdict === "fails")) {
    return (
      <Alert color="red" icon={<IconShieldX />} title={chain.kind === "broken" ? "The chain is broken" : "The ledger contradicts what this browser knows"} role="alert" w="100%">
        <Stack gap="sm">
          <Steps lines={lines} />
          <Text size="sm">Keep your receipts and these files, and contact the operator.</Text>
          <Files log={verdict.log} isContradiction />
        </Stack>
      </Alert>
    );
  }
  const head = chain.kind === "intact" ? `${chain.entries}.${chain.headHash}` : "";
  return (
    <Alert color="verdigris" variant="light" icon={<IconShieldCheck />} title="The chain is intact" role="status" w="100%">
      <Stack gap="sm">
        <Steps lines={lines} />
        <Group gap="xs"><Text size="sm">Head</Text><Copyable text={head} shown={`${head.slice(0, head.indexOf(".") + 21)}…`} label="Copy head" /></Group>
        <Files log={verdict.log} isContradiction={false} />
      </Stack>
    </Alert>
  );
}

export function VerifyChain() {
  const [progress, setProgress] = useState({ done: 0, total: 0 });
  const verify = useMutation({
    mutationFn: () => verifyAll(logSource(readLedgerPage), browserMemory, (done, total) => setProgress({ done, total })),
    onMutate: () => setProgress({ done: 0, total: 0 }),
  });
  const share = progress.total === 0 ? 0 : progress.done / progress.total;
  return (
    <Stack gap="sm" align="flex-start">
      <Button variant="default" leftSection={<IconShieldCheck size={16} />} loading={verify.isPending} onClick={() => verify.mutate()}>Verify in this browser</Button>
      {verify.isPending && (
        <Stack gap={4} w="100%">
          <Progress value={share * 100} aria-label="Verification progress" />
          <Text size="xs" c="dimmed">{progress.total > 0 && progress.done === progress.total ? "Comparing with the log" : `${formatCount(progress.done)} of ${formatCount(progress.total)} entries`}</Text>
        </Stack>
      )}
      <FormError error={verify.error} />
      {verify.data && <Verdict verdict={verify.data} />}
    </Stack>
  );
}
