/** A year of an installation in an embedded store: real charges, real jobs, real payouts, and a clock of its own. */
import { currentModel } from "@assay/scoring/current-model.ts";
import { releasedModels } from "@assay/scoring/released-models.ts";
import type { Signals } from "@assay/scoring/signals.ts";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { msPerDay, msPerMinute } from "../../apps/api/src/formats/time.ts";
import { fundPlatform } from "../../apps/api/src/money/payouts/platform-money.ts";
import { movePayouts } from "../../apps/api/src/money/payouts/move-payouts.ts";
import { proposePayouts } from "../../apps/api/src/money/payouts/propose-payouts.ts";
import { listJobs } from "../../apps/api/src/operations/list-jobs.ts";
import { createMarks } from "../../apps/api/src/secrets/read-sealed-key.ts";
import { createSealer } from "../../apps/api/src/secrets/sealer.ts";
import type { CloseAccount, CloseOutcome } from "../../apps/api/src/people/close-account.work.ts";
import { createModels } from "../../apps/api/src/scoring/models/choose-model.ts";
import { timeOrderedId } from "../../apps/api/src/ids/time-ordered-id.ts";
import { analysisEndpoint } from "../../apps/api/src/scoring/traffic/examine-day.ts";
import { openStore } from "../../apps/api/src/store/open-store.ts";
import type { PayeeProfileRow } from "../../apps/api/src/store/schema-dashboard.ts";
import type { Store } from "../../apps/api/src/store/store.ts";
import { makeAccount } from "../../apps/api/test/make-account.ts";
import { makeCharge, makeCharger } from "../../apps/api/test/make-charge.ts";
import { growthLimits } from "../../apps/api/test/money/growth-limits.ts";
import { namePayee, perCallMicroUsd } from "../../apps/api/test/money/make-earner.ts";
import { createDraws, type Draws } from "../../apps/api/test/scoring/draw-sessions.ts";
import type { Attacker } from "./attackers.ts";
import { openForgedClicks, perClickMicroUsd } from "./forged-clicks.ts";
import type { Rhythm } from "./honest-accounts.ts";
import { type DayRow, toDayRows } from "./day-rows.ts";
import type { Visit } from "./visit.ts";

export type SimulatedAccount = {
  /** Whose figures are added up. */
  group: string;
  /** Accounts that name the same bank account have the same payee. */
  payee: Partial<PayeeProfileRow>;
  rhythm: Rhythm;
  seed: number;
  nextDay(day: number): Visit[];
  /** What it does beside calling for scores. */
  attacker?: Pick<Attacker, "analysesPerDay" | "clicks" | "retentionDays" | "reopens">;
};

export type SimulatedOutcome = {
  group: string;
  /** All that it had, one after the other. */
  accountIds: string[];
  accruedMicroUsd: number;
  /** What became payable and was paid, by the day (0 is the first) on which it happened. */
  paid: { day: number; microUsd: number }[];
  /** The day whose end opened a finding. */
  foundOnDay: number | undefined;
  findingCode: string | undefined;
  /** Each check's evidence after the last day. */
  logEvidenceOf: Map<string, number>;
};

export const simulationStartMs = Date.parse("2026-01-01T00:00:00Z");
const minimumMicroUsd = 50_000_000;
const fundedMicroUsd = 1_000_000_000_000;
const callsAtOnce = 4_000;
/** Jobs that a day's end is for; mails and statements are left out. */
const dailyJobs = ["watch_sessions", "watch_clicks", "settle_calls", "settle_clicks", "delete_expired", "keep_accounts"] as const;
const closeModule = new URL("../../apps/api/src/people/close-account.work.ts", import.meta.url);
/** In the first minutes of the day, where a short retention reaches first. */
const analysesAtMs = msPerMinute;

function signalsOf(row: DayRow): Signals {
  const signals: Signals = {};
  for (const name of ["user_engagement", "session_duration", "scroll_depth", "interaction_count", "page_views"] as const) {
    if (row[name] !== null) signals[name] = row[name];
  }
  if (row.return_visitor !== null) signals.return_visitor = row.return_visitor === 1;
  return signals;
}

export async function runInstallation(
  accounts: readonly SimulatedAccount[],
  options: { startMs: number; days: number; onDay: (day: number, store: Store) => void },
): Promise<SimulatedOutcome[]> {
  const dataDir = mkdtempSync(join(tmpdir(), "assay-forge-"));
  const { store } = await openStore({ dataDir, databaseUrl: undefined }, { nowMs: options.startMs, onConnectionError: () => {} });
  try {
    return await simulate(store, accounts, options);
  } finally {
    await store.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function simulate(store: Store, accounts: readonly SimulatedAccount[], { startMs, days, onDay }: { startMs: number; days: number; onDay: (day: number, store: Store) => void }): Promise<SimulatedOutcome[]> {
  const clock = { nowMs: startMs };
  const nowMs = () => clock.nowMs;
  const sealer = createSealer({ secretKey: "a secret of the simulation only, never used elsewhere", previous: [] });
  const marks = createMarks({ store, nowMs, sealer });
  const jobs = listJobs(store, {
    models: createModels(releasedModels, []),
    clickHoldDays: 14, callHoldDays: 14, retentionDays: 30, prepaidFromMs: undefined, creditLimitMicroUsd: 0, payoutMinimumMicroUsd: 50_000_000, unreviewedMonthlyMicroUsd: 350_000_000, unreviewedTotalMonthlyMicroUsd: undefined, logWitnesses: [], random: Math.random, deleteMailFiles: async () => {}, wakeMailer: () => {}, marks, sealer, publicUrl: () => undefined,
  });
  const runJob = async (name: string) => {
    const job = jobs.find((each) => each.name === name);
    if (!job) return;
    for (let isMore = true; isMore; ) isMore = (await job.run({ nowMs: clock.nowMs, isOver: () => false })).isMore ?? false;
  };

  await fundPlatform(store, { microUsd: fundedMicroUsd, actorAccountId: null, nowMs: clock.nowMs });
  const outcomeOf = new Map<string, SimulatedOutcome>();

  /** The payees' marks are made by the job, as those of accounts that an earlier version left. */
  async function openAccount({ payee, attacker }: SimulatedAccount, outcome: SimulatedOutcome): Promise<string> {
    const { accountId } = await makeAccount(store, { nowMs: clock.nowMs });
    await namePayee(store, accountId, { ...payee, updated_at: clock.nowMs + outcomeOf.size });
    if (attacker?.retentionDays !== undefined) await store.db.updateTable("accounts").set({ session_retention_days: attacker.retentionDays }).where("id", "=", accountId).execute();
    outcome.accountIds.push(accountId);
    outcomeOf.set(accountId, outcome);
    return accountId;
  }

  const running: (SimulatedAccount & { accountId: string; draws: Draws; outcome: SimulatedOutcome })[] = [];
  for (const account of accounts) {
    const outcome: SimulatedOutcome = { group: account.group, accountIds: [], accruedMicroUsd: 0, paid: [], foundOnDay: undefined, findingCode: undefined, logEvidenceOf: new Map() };
    running.push({ ...account, accountId: await openAccount(account, outcome), draws: createDraws(account.seed), outcome });
  }
  await runJob("mark_payees");
  const forgedClicks = await openForgedClicks(store, clock);
  const charger = makeCharger(store, clock);

  async function makeCalls(day: number): Promise<void> {
    const calls = running.flatMap((account) => {
      const rows = toDayRows(account.nextDay(day), { dayMs: startMs + day * msPerDay, rhythm: account.rhythm, draws: account.draws });
      account.outcome.accruedMicroUsd += rows.length * perCallMicroUsd;
      return rows.map((row) => ({ row, accountId: account.accountId }));
    });
    calls.sort((left, right) => left.row.at - right.row.at || (left.row.id < right.row.id ? -1 : 1));
    for (let from = 0; from < calls.length; from += callsAtOnce) {
      const charged = calls.slice(from, from + callsAtOnce).map(({ row, accountId }) => {
        const signals = signalsOf(row);
        return charger.charge(makeCharge({ accountId, atMs: row.at, ref: row.id, verdict: { signals, score: currentModel.score(signals), processingTimeMs: 0.5, modelVersion: currentModel.version, calibration: null } }));
      });
      await Promise.all(charged);
    }
  }

  async function makeAnalyses(day: number): Promise<void> {
    const atMs = startMs + day * msPerDay + analysesAtMs;
    for (const { accountId, attacker, outcome } of running) {
      const count = attacker?.analysesPerDay ?? 0;
      outcome.accruedMicroUsd += count * perCallMicroUsd;
      const charge = () => charger.charge(makeCharge({ accountId, atMs, ref: timeOrderedId("an", atMs), endpoint: analysisEndpoint, verdict: undefined }));
      await Promise.all(Array.from({ length: count }, charge));
    }
  }

  async function makeClicks(day: number): Promise<void> {
    const dayMs = startMs + day * msPerDay;
    for (const { accountId, attacker, draws, outcome } of running) {
      if (attacker?.clicks) outcome.accruedMicroUsd += perClickMicroUsd * (await forgedClicks.clickOn(dayMs, { accountId, habit: attacker.clicks, draws }));
    }
    await forgedClicks.endDay();
  }

  async function payWithoutLooking(day: number): Promise<void> {
    const { proposed } = await proposePayouts(store, { ...growthLimits, nowMs: clock.nowMs, minimumMicroUsd, actorAccountId: null });
    for (const to of ["approved", "exported", "paid"] as const) {
      await movePayouts(store, { ...growthLimits, payoutIds: proposed.map(({ id }) => id), to, note: "nobody looked", actorAccountId: null, fourEyes: false, nowMs: clock.nowMs });
    }
    for (const payout of proposed) outcomeOf.get(payout.account_id)!.paid.push({ day, microUsd: payout.amount_micro });
    for (const account of running) if (account.attacker?.reopens && proposed.some((payout) => payout.account_id === account.accountId)) await reopen(account);
    await runJob("mark_payees");
  }

  /** The old account is erased by the job, as soon as nothing of it is pending. */
  async function reopen(account: (typeof running)[number]): Promise<void> {
    await store.transact<CloseAccount, CloseOutcome>(closeModule, { accountId: account.accountId, forfeit: true, nowMs: clock.nowMs });
    account.accountId = await openAccount(account, account.outcome);
  }

  for (let day = 0; day < days; day += 1) {
    await makeAnalyses(day);
    await makeCalls(day);
    await makeClicks(day);
    clock.nowMs = startMs + (day + 1) * msPerDay + 10 * msPerMinute;
    for (const name of dailyJobs) await runJob(name);
    const findings = await store.db.selectFrom("findings").select(["account_id", "code"]).execute();
    for (const finding of findings) {
      const outcome = outcomeOf.get(finding.account_id)!;
      if (outcome.foundOnDay !== undefined) continue;
      outcome.foundOnDay = day;
      outcome.findingCode = finding.code;
    }
    if (new Date(clock.nowMs).getUTCDate() === 15) await payWithoutLooking(day + 1);
    onDay(day, store);
  }
  await forgedClicks.stop();
  const evidence = await store.db.selectFrom("integrity_evidence").select(["account_id", "check_name", "log_evidence"]).orderBy("day").execute();
  for (const row of evidence) outcomeOf.get(row.account_id)!.logEvidenceOf.set(row.check_name, row.log_evidence);
  return running.map(({ outcome }) => outcome);
}
