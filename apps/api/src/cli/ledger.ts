import type { Command } from "commander";
import { readConfig } from "../config.ts";
import { usdOf } from "../formats/money.ts";
import { selectEntries, selectHead } from "../money/ledger/ledger.table.ts";
import { createFileMemory } from "../money/ledger/log/log-memory.ts";
import { type FullReport, verifyLedgerAndLog } from "../money/ledger/log/verify-ledger-and-log.ts";
import { readPastLogKeys } from "../money/ledger/log/log-keys.ts";
import type { LedgerEntryRow } from "../store/schema.ts";
import { errcodeOf, isDamage } from "../store/sqlite-trouble.ts";
import type { Store } from "../store/store.ts";
import { findSealer } from "./secret-key.ts";
import { findDamage } from "../transfer/backup/find-damage.ts";
import { defineCommand, defineFamily, type JsonOption } from "./define-command.ts";
import { findAccount } from "./find-account.ts";
import { countOf, ledgerSize, printJson, printJsonList, printLines, tableLines } from "./print.ts";
import { withStore } from "./with-store.ts";

const entriesPerPage = 1_000;
const progressEveryMs = 100;

/** A counter on standard error when it is a terminal; nothing otherwise. */
function createProgress() {
  const { stderr } = process;
  let shownAtMs = Number.NEGATIVE_INFINITY;
  return {
    show({ entries, accounts }: Pick<FullReport, "entries" | "accounts">) {
      const nowMs = performance.now();
      if (!stderr.isTTY || nowMs - shownAtMs < progressEveryMs) return;
      shownAtMs = nowMs;
      stderr.write(`\rVerifying: ${accounts} accounts, ${entries} entries …`);
    },
    clear() {
      if (stderr.isTTY) stderr.write("\r\u001B[K");
    },
  };
}

function reportLines(report: FullReport): string[] {
  const size = ledgerSize(report);
  const { audit, log } = report;
  if (report.ok) {
    return [
      `The ledger is whole: ${size}, every chain, balance and hour as recorded.`,
      ...(audit ? [`The audit log is whole: ${countOf(audit.entries, "row", "rows")}, the last with the hash ${audit.hash}.`] : []),
      ...(log && log.logs > 0 ? [`The log is that of the ledger: ${countOf(log.size, "entry", "entries")}, and ${countOf(log.checkpoints, "checkpoint", "checkpoints")} as signed.`] : []),
    ];
  }
  const rows = report.breaks.map(({ accountId, seq, problem }) => [accountId, String(seq), problem]);
  return [`The ledger is BROKEN: ${size} read.`, "", ...tableLines(["Account", "Entry", "Problem"], rows)];
}

const describeReport = ({ entries, accounts, ok, breaks, audit, log }: FullReport) => ({
  entries,
  accounts,
  ok,
  audit: audit ?? null,
  log: log ? { logs: log.logs, size: log.size, checkpoints: log.checkpoints } : null,
  breaks: breaks.map(({ accountId, seq, problem }) => ({ account_id: accountId, seq, problem })),
});

/** Unreadable pages abort the verification; the check of the file then lists them. */
function toEmptyReport(error: unknown): FullReport {
  if (!isDamage(errcodeOf(error))) throw error;
  return { entries: 0, accounts: 0, ok: false, breaks: [], audit: undefined, log: undefined };
}

/** Damage to the database file counts as a break of the ledger. */
function withFileProblems(report: FullReport): FullReport {
  const problems = findDamage(readConfig().dataDir, "any_size");
  const breaks = [...report.breaks, ...problems.map((problem) => ({ accountId: "(the file)", seq: 0, problem }))];
  return { ...report, ok: report.ok && problems.length === 0, breaks };
}

async function runVerify(options: JsonOption): Promise<void> {
  const progress = createProgress();
  progress.show({ entries: 0, accounts: 0 });
  const report = await withStore(async ({ store, nowMs }) => {
    const sealer = findSealer();
    const remembered = await createFileMemory(readConfig().dataDir).recall();
    const verification = {
      keysOf: sealer && ((origin: string) => readPastLogKeys({ store, sealer, nowMs: () => nowMs }, origin)),
      remembered: remembered ? [remembered] : [],
      onProgress: progress.show,
    };
    if (store.dialect === "postgres") return verifyLedgerAndLog(store, verification);
    return withFileProblems(await verifyLedgerAndLog(store, verification).catch(toEmptyReport));
  }).finally(progress.clear);
  await (options.json ? printJson(describeReport(report)) : printLines(reportLines(report)));
  if (!report.ok) process.exitCode = 1;
}

/** All fields that the hash covers, and the amounts in USD. */
const describeEntry = (entry: LedgerEntryRow) => ({
  ...entry,
  gross_usd: usdOf(entry.gross_micro),
  developer_usd: usdOf(entry.developer_micro),
  platform_usd: usdOf(entry.platform_micro),
});

/** Reads up to the head as it was at the start: a busy account would otherwise never end. */
async function* readEntries(store: Store, accountId: string) {
  const head = await selectHead(store.db, accountId).executeTakeFirst();
  const lastSeq = head?.seq ?? 0;
  let afterSeq = 0;
  while (afterSeq < lastSeq) {
    const limit = Math.min(entriesPerPage, lastSeq - afterSeq);
    const page = await selectEntries(store.db, { accountId, afterSeq, limit }).execute();
    if (page.length === 0) return;
    yield page;
    afterSeq = page.at(-1)!.seq;
  }
}

async function runExport(options: JsonOption & { email: string }): Promise<void> {
  await withStore(async ({ store }) => {
    const account = await findAccount(store, options.email);
    const pages = readEntries(store, account.id);
    if (options.json) return printJsonList(pages, describeEntry);
    for await (const page of pages) await printLines(page.map((entry) => JSON.stringify(describeEntry(entry))));
  });
}

export function addLedgerCommands(program: Command): void {
  const family = defineFamily(program, { name: "ledger", summary: "verify and export the ledger" });
  defineCommand(family, {
    name: "verify",
    summary: "recompute everything; exits with 1 on a break",
    example: "ledger verify --json",
  }).action(runVerify);
  defineCommand(family, {
    name: "export",
    summary: "print an account's entries as JSON lines",
    example: "ledger export --email dev@example.com > ledger.jsonl",
  })
    .requiredOption("--email <address>", "the account's e-mail address")
    .action(runExport);
}
