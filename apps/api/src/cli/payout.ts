import type { Command } from "commander";
import { Failure } from "../failure/failure.ts";
import { isoTimeOrNull } from "../formats/time.ts";
import { writeFile } from "node:fs/promises";
import { readConfig } from "../config.ts";
import { usdOf, usdText } from "../formats/money.ts";
import { exportAgain, exportPayouts } from "../money/payouts/export-payouts.ts";
import { findDemoAccounts } from "../money/payouts/find-demo-accounts.ts";
import { waitReasonTexts } from "../money/payouts/money-states.ts";
import { describeOutcome, explainDespite, explainMove, movePayouts, movePayoutTo } from "../money/payouts/move-payouts.ts";
import type { PayoutMove } from "../money/payouts/move-payouts.work.ts";
import { selectPayoutIds, selectPayouts } from "../money/payouts/payouts.table.ts";
import { proposePayouts } from "../money/payouts/propose-payouts.ts";
import type { PayoutRecord } from "../store/schema-payouts.ts";
import { readerOf, type Store } from "../store/store.ts";
import { defineCommand, defineFamily, type JsonOption } from "./define-command.ts";
import { findOperator } from "./find-operator.ts";
import { printJson, printLines, shortTime, tableLines } from "./print.ts";
import { Refusal } from "./refusal.ts";
import { withStore } from "./with-store.ts";

const listedMax = 10_000;

type OperatorOption = JsonOption & { operator?: string };
type Actor = { actorAccountId: string; fourEyes: boolean; unreviewedMonthlyMicroUsd: number; nowMs: number };

/** Every step is an operator's. */
const withOperator = <Result>({ operator }: OperatorOption, work: (store: Store, actor: Actor) => Promise<Result>): Promise<Result> =>
  withStore(async ({ store, nowMs }) => {
    const { accountId: actorAccountId } = await findOperator(store, operator);
    const { payoutFourEyes: fourEyes, unreviewedMonthlyMicroUsd } = readConfig();
    try {
      return await work(store, { actorAccountId, fourEyes, unreviewedMonthlyMicroUsd, nowMs });
    } catch (error) {
      throw error instanceof Failure && error.code === "overloaded" ? new Refusal(error.message) : error;
    }
  });

/** `demo`: money of demo accounts, which nobody is sent. */
const toJson = (payout: PayoutRecord, demo: ReadonlySet<string>) => ({
  id: payout.id,
  account_id: payout.account_id,
  month: payout.month,
  amount_usd: usdOf(payout.amount_micro),
  status: payout.status,
  proposed_at: isoTimeOrNull(payout.proposed_at),
  approved_at: isoTimeOrNull(payout.approved_at),
  exported_at: isoTimeOrNull(payout.exported_at),
  paid_at: isoTimeOrNull(payout.paid_at),
  returned_at: isoTimeOrNull(payout.returned_at),
  cancelled_at: isoTimeOrNull(payout.cancelled_at),
  export_id: payout.export_id,
  note: payout.note,
  demo: demo.has(payout.account_id),
});

const payoutLines = (payouts: readonly PayoutRecord[], demo: ReadonlySet<string>) =>
  tableLines(
    ["Payout", "Account", "Month", "USD", "Status", "Proposed", ""],
    payouts.map((each) => {
      const marked = demo.has(each.account_id) ? "DEMO" : "";
      return [each.id, each.account_id, each.month, usdText(usdOf(each.amount_micro)), each.status, shortTime(each.proposed_at), marked];
    }),
  );

async function runPropose(options: OperatorOption): Promise<void> {
  const { payoutMinimumMicroUsd: minimumMicroUsd, unreviewedTotalMonthlyMicroUsd } = readConfig();
  const { month, proposed, waiting, demo } = await withOperator(options, async (store, actor) => {
    const outcome = await proposePayouts(store, { ...actor, minimumMicroUsd, unreviewedTotalMonthlyMicroUsd });
    const accountIds = [...outcome.proposed.map((each) => each.account_id), ...outcome.waiting.map((each) => each.accountId)];
    return { ...outcome, demo: await findDemoAccounts(readerOf(store), accountIds) };
  });
  if (options.json) {
    return printJson({
      month: month.name,
      proposed: proposed.map((each) => toJson(each, demo)),
      held: waiting.map((each) => ({ account_id: each.accountId, email: each.email, amount_usd: usdOf(each.amountMicroUsd), reason: each.reason, demo: demo.has(each.accountId) })),
    });
  }
  return printLines([
    `Earnings up to the end of ${month.name} (UTC). Payouts proposed: ${proposed.length}. Accounts whose money waits: ${new Set(waiting.map(({ accountId }) => accountId)).size}.`,
    ...(proposed.length > 0 ? ["", ...payoutLines(proposed, demo)] : []),
    ...(waiting.length > 0 ? [""] : []),
    ...waiting.map((each) => `${each.email}  ${usdText(usdOf(each.amountMicroUsd))} USD  ${each.reason}: ${waitReasonTexts[each.reason]}${demo.has(each.accountId) ? "  DEMO" : ""}`),
  ]);
}

async function runList(options: JsonOption): Promise<void> {
  const page = { status: undefined, accountId: undefined, limit: listedMax };
  const { payouts, demo } = await withStore(async ({ store }) => {
    const found = await selectPayouts(store.db, page).execute();
    return { payouts: found, demo: await findDemoAccounts(readerOf(store), found.map((each) => each.account_id)) };
  });
  return options.json ? printJson(payouts.map((each) => toJson(each, demo))) : printLines(payoutLines(payouts, demo));
}

async function runMove(payoutId: string, to: PayoutMove["to"], options: OperatorOption & { note?: string }): Promise<void> {
  const { outcome, demo } = await withOperator(options, async (store, actor) => {
    const moved = await movePayoutTo(store, { ...actor, payoutId, to, note: options.note ?? null });
    return { outcome: moved, demo: await findDemoAccounts(readerOf(store), moved.kind === "moved" ? [moved.payout.account_id] : []) };
  });
  if (outcome.kind !== "moved") throw new Refusal(explainMove(outcome));
  const { payout, receipt } = outcome;
  const despite = explainDespite(outcome.despite);
  if (options.json) return printJson({ ...toJson(payout, demo), receipt: receipt ?? null, despite });
  return printLines([`${payout.id} is ${payout.status}: ${usdText(usdOf(payout.amount_micro))} USD${demo.has(payout.account_id) ? " of demo money" : ""}${receipt ? `, receipt ${receipt}` : ""}.`, ...(despite === null ? [] : [despite])]);
}

async function runApprove(payoutIds: string[], options: OperatorOption & { all?: true }): Promise<void> {
  if ((payoutIds.length === 0) === (options.all !== true)) throw new Refusal("name the payouts, or say --all");
  if (payoutIds.length === 1) return runMove(payoutIds[0]!, "approved", options);
  const { ids, outcomes } = await withOperator(options, async (store, actor) => {
    const proposed = options.all ? await selectPayoutIds(store.db, { status: "proposed", limit: listedMax }).execute() : [];
    const wanted = options.all ? proposed.map(({ id }) => id) : payoutIds;
    return { ids: wanted, outcomes: await movePayouts(store, { ...actor, payoutIds: wanted, to: "approved", note: null }) };
  });
  const described = ids.map((id, index) => describeOutcome(id, outcomes[index]!));
  const refused = described.filter(({ outcome }) => outcome !== "approved");
  await (options.json
    ? printJson({ outcomes: described })
    : printLines([`Payouts approved: ${described.length - refused.length}. Refused: ${refused.length}.`, ...refused.map(({ id, message }) => `${id}  ${message}`)]));
  if (refused.length > 0) process.exitCode = 1;
}

async function runExport(options: OperatorOption & { out?: string; again?: true | string }): Promise<void> {
  const { again } = options;
  const { csv, payoutIds, exportId, isDemo, refused } = await withOperator(options, async (store, actor) =>
    again === undefined ? exportPayouts(store, actor) : { ...(await exportAgain(store, again === true ? undefined : again)), refused: [] },
  );
  // The file first: an export is reported only once its file exists.
  if (options.out !== undefined) await writeFile(options.out, csv, { mode: 0o600 });
  const described = refused.map(({ payoutId, outcome }) => describeOutcome(payoutId, outcome));
  if (options.json) {
    return printJson({ export_id: exportId, payouts: payoutIds, demo: isDemo, csv: options.out === undefined ? csv : null, file: options.out ?? null, refused: described });
  }
  if (options.out === undefined) return printLines([csv.trimEnd()]);
  const named = payoutIds.length > 0 ? ` (--again ${exportId} writes it once more)` : "";
  return printLines([`${isDemo ? "DEMO: payouts" : "Payouts"} in ${options.out}: ${payoutIds.length}${named}.`, ...described.map(({ id, message }) => `${id} stays approved. ${message}`)]);
}

type NoteOptions = OperatorOption & { note?: string };

export function addPayoutCommands(program: Command): void {
  const family = defineFamily(program, { name: "payout", summary: "payouts: proposed, approved, exported, paid, returned or cancelled" });
  const define = (command: { name: string; summary: string; example: string }) =>
    defineCommand(family, command).option("--operator <address>", "the operator who does this; needed if there are several");
  const example = "po_0Vb15o2Z000XQIg2XdJLd8";
  define({ name: "propose", summary: "propose a payout for every payable account", example: "payout propose" }).action(runPropose);
  defineCommand(family, { name: "list", summary: "list payouts, newest first", example: "payout list" }).action(runList);
  define({ name: "approve", summary: "approve proposed payouts", example: `payout approve ${example}` })
    .argument("[payouts...]", "their ids")
    .option("--all", "all that are proposed")
    .action(runApprove);
  define({ name: "export", summary: "write approved payouts with their payees as CSV", example: "payout export --out payouts.csv" })
    .option("--out <file>", "write to this file instead of standard output")
    .option("--again [export]", "write the file of an earlier export once more; of the last one if none is named")
    .action(runExport);
  define({ name: "mark-paid", summary: "book an exported payout as paid", example: `payout mark-paid ${example}` })
    .argument("<payout>", "its id")
    .option("--note <text>", "the bank's reference")
    .action((payoutId: string, options: NoteOptions) => runMove(payoutId, "paid", options));
  define({ name: "return", summary: "book a payout that came back", example: `payout return ${example} --note refused` })
    .argument("<payout>", "its id")
    .option("--note <text>", "why")
    .action((payoutId: string, options: NoteOptions) => runMove(payoutId, "returned", options));
  define({ name: "cancel", summary: "cancel a payout that is not exported yet", example: `payout cancel ${example} --note 'wrong month'` })
    .argument("<payout>", "its id")
    .requiredOption("--note <text>", "why")
    .action((payoutId: string, options: NoteOptions) => runMove(payoutId, "cancelled", options));
}
