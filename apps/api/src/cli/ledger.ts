import type { Command } from "commander";
import { findDamage } from "../transfer/backup/find-damage.ts";
import { selectEntries, selectHead } from "../money/ledger/ledger.table.ts";
import { type LedgerReport, verifyLedger } from "../money/ledger/verify-ledger.ts";
import { readConfig } from "../config.ts";
import type { LedgerEntryRow } from "../store/schema.ts";
import { errcodeOf, isDamage } from "../store/sqlite-trouble.ts";
import type { Store } from "../store/store.ts";
import { defineCommand, defineFamily, type JsonOption } from "./define-command.ts";
import { findAccount } from "./find-account.ts";
import { ledgerSize, printJson, printJsonList, printLines, tableLines } from "./print.ts";
import { withStore } from "./with-store.ts";
import { usdOf } from "../formats/money.ts";

const entriesPerPage = 1_000;
const progressEveryMs = 100;

/** A line that counts up on a terminal, and nothing at all where nobody watches. */
function createProgress() {
  const { stderr } = process;
  let shownAtMs = Number.NEGATIVE_INFINITY;
  return {
    show({ entries, accounts }: Pick<LedgerReport, "entries" | "accounts">) {
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

function reportLines(report: LedgerReport): string[] {
  const size = ledgerSize(report);
  if (report.ok) return [`The ledger is whole: ${size}, every chain, balance and hour as recorded.`];
  const rows = report.breaks.map(({ accountId, seq, problem }) => [accountId, String(seq), problem]);
  return [`The ledger is BROKEN: ${size} read.`, "", ...tableLines(["Account", "Entry", "Problem"], rows)];
}

const describeReport = ({ entries, accounts, ok, breaks }: LedgerReport) => ({
  entries,
  accounts,
  ok,
  breaks: breaks.map(({ accountId, seq, problem }) => ({ account_id: accountId, seq, problem })),
});

/** Pages that cannot be read end the reading; which ones they are is told by looking at the file. */
function nothingRead(error: unknown): LedgerReport {
  if (!isDamage(errcodeOf(error))) throw error;
  return { entries: 0, accounts: 0, ok: false, breaks: [] };
}

/** A ledger is only as good as the file that it lies in: whatever is wrong with that counts as a break. */
function withFileProblems(report: LedgerReport): LedgerReport {
  const problems = findDamage(readConfig().dataDir, "any_size");
  const breaks = [...report.breaks, ...problems.map((problem) => ({ accountId: "(the file)", seq: 0, problem }))];
  return { ...report, ok: report.ok && problems.length === 0, breaks };
}

async function runVerify(options: JsonOption): Promise<void> {
  const progress = createProgress();
  progress.show({ entries: 0, accounts: 0 });
  const report = await withStore(async ({ store }) => {
    if (store.dialect === "postgres") return verifyLedger(store, progress.show);
    return withFileProblems(await verifyLedger(store, progress.show).catch(nothingRead));
  }).finally(progress.clear);
  await (options.json ? printJson(describeReport(report)) : printLines(reportLines(report)));
  if (!report.ok) process.exitCode = 1;
}

/** All that an entry's hash is taken over, and the amounts once more in USD. */
const describeEntry = (entry: LedgerEntryRow) => ({
  ...entry,
  gross_usd: usdOf(entry.gross_micro),
  developer_usd: usdOf(entry.developer_micro),
  platform_usd: usdOf(entry.platform_micro),
});

/** Up to the end of the chain as it was at the start: a busy account would otherwise have no end. */
async function* readPages(store: Store, accountId: string) {
  const head = await selectHead(store.db, accountId).executeTakeFirst();
  const lastSeq = head?.seq ?? 0;
  let afterSeq = 0;
  while (afterSeq < lastSeq) {
    const limit = Math.min(entriesPerPage, lastSeq - afterSeq);
    const page = await selectEntries(store.db, { accountId, afterSeq, limit }).execute();
    if (page.length === 0) return;
    yield page.map(describeEntry);
    afterSeq = page.at(-1)!.seq;
  }
}

async function runExport(options: JsonOption & { email: string }): Promise<void> {
  await withStore(async ({ store }) => {
    const account = await findAccount(store, options.email);
    const pages = readPages(store, account.id);
    if (options.json) return printJsonList(pages);
    for await (const page of pages) await printLines(page.map((entry) => JSON.stringify(entry)));
  });
}

export function addLedgerCommands(program: Command): void {
  const family = defineFamily(program, { name: "ledger", summary: "the ledger's proof" });
  defineCommand(family, {
    name: "verify",
    summary: "re-compute everything; exits with 1 on a break",
    example: "ledger verify --json",
  }).action(runVerify);
  defineCommand(family, {
    name: "export",
    summary: "print an account's entries, one JSON line each",
    example: "ledger export --email dev@example.com > ledger.jsonl",
  })
    .requiredOption("--email <address>", "the account's e-mail address")
    .action(runExport);
}
