import type { ModelComparison, OperatorComparison } from "@assay/contract/dashboard/models.ts";
import type { Model } from "@assay/scoring/model.ts";
import { isoTime, msPerHour, parseSpan, type Span, widenSpan } from "../../formats/time.ts";
import { lowestIdAt } from "../../ids/time-ordered-id.ts";
import { selectBusiestAccounts } from "../../money/ledger/ledger.table.ts";
import { selectDemoIds, selectEmails } from "../../register/accounts.table.ts";
import type { Store } from "../../store/store.ts";
import { signalsOf } from "../sessions/find-session.ts";
import { selectScoredSessions, selectSessionBeyond } from "../sessions/sessions.table.ts";
import { createScoreComparison, type ScorePair } from "./compare-scores.ts";

/**
 * A report reads at most so many sessions of an account. Of a window with more, it reads the first of each of so many equal
 * parts, so that every day and hour is in the sample.
 */
const ofOneAccount = { parts: 200, perPart: 100 };
const ofManyAccounts = { parts: 50, perPart: 20 };
const accountsMax = 100;
/** Sessions are scored between two reads, for a few milliseconds at a time: calls go on meanwhile. */
const rowsPerPage = 1_000;

type Bounds = { parts: number; perPart: number };
type Account = Span & { accountId: string; bounds: Bounds };
type Row = Awaited<ReturnType<ReturnType<typeof selectScoredSessions>["execute"]>>[number];

export const parseComparedSpan = (query: { from?: string | undefined; to?: string | undefined }, nowMs: number): Span => parseSpan(query, { nowMs, daysDefault: 7, daysMax: 92 });

async function* readAll(store: Store, { accountId, fromMs, toMs }: Account): AsyncGenerator<Row[]> {
  const toId = lowestIdAt("sess", toMs);
  for (let afterId = lowestIdAt("sess", fromMs); ; ) {
    const rows = await selectScoredSessions(store.db, { accountId, afterId, toId, limit: rowsPerPage }).execute();
    yield rows;
    if (rows.length < rowsPerPage) return;
    afterId = rows.at(-1)!.id;
  }
}

async function* readSample(store: Store, { accountId, fromMs, toMs, bounds }: Account): AsyncGenerator<Row[]> {
  const partMs = (toMs - fromMs) / bounds.parts;
  const edge = (part: number) => lowestIdAt("sess", Math.round(fromMs + part * partMs));
  for (let part = 0; part < bounds.parts; part += 1) {
    yield await selectScoredSessions(store.db, { accountId, afterId: edge(part), toId: edge(part + 1), limit: bounds.perPart }).execute();
  }
}

/** `before`: the scores that were answered, or those of a model. */
type Compare = { before: Model | "answered"; other: Model };

/** Whether the account has more sessions than are compared. Tells `add` of each that is. */
async function comparePairs(store: Store, account: Account, { before, other, add }: Compare & { add: (pair: ScorePair) => void }): Promise<boolean> {
  const { accountId, fromMs, toMs, bounds } = account;
  const beyond = { accountId, afterId: lowestIdAt("sess", fromMs), toId: lowestIdAt("sess", toMs), count: bounds.parts * bounds.perPart };
  const isMore = (await selectSessionBeyond(store.db, beyond).executeTakeFirst()) !== undefined;
  for await (const rows of isMore ? readSample(store, account) : readAll(store, account)) {
    for (const row of rows) {
      const signals = signalsOf(row);
      add({ atMs: row.at, before: before === "answered" ? row.service_score : before.score(signals).serviceScore, other: other.score(signals).serviceScore });
    }
  }
  return isMore;
}

const nameOf = (before: Compare["before"]): string => (before === "answered" ? before : before.version);

/** The account's live sessions in a span, as they were scored or as `before` scores them, and as `other` does. */
export async function compareForAccount(store: Store, { accountId, fromMs, toMs, ...compare }: Span & Compare & { accountId: string }): Promise<ModelComparison> {
  const comparison = createScoreComparison();
  const isSample = await comparePairs(store, { accountId, fromMs, toMs, bounds: ofOneAccount }, { ...compare, add: comparison.add });
  return { from: isoTime(fromMs), to: isoTime(toMs), before: nameOf(compare.before), other: compare.other.version, is_sample: isSample, ...comparison.result() };
}

/** What callers were answered, compared with what `other` would have answered: for the accounts with the most calls, and for one if it is named. */
export async function compareForOperator(store: Store, { fromMs, toMs, other, accountId }: Span & { other: Model; accountId: string | undefined }): Promise<OperatorComparison> {
  const busiest = accountId === undefined ? await selectBusiestAccounts(store.db, { ...widenSpan({ fromMs, toMs }, msPerHour), limit: accountsMax + 1 }).execute() : [{ account_id: accountId }];
  const ids = busiest.slice(0, accountsMax).map(({ account_id: id }) => id);
  // Demo accounts are in no total.
  const demoIds = new Set(ids.length === 0 || accountId !== undefined ? [] : (await selectDemoIds(store.db, ids).execute()).map(({ id }) => id));
  const compared = ids.filter((id) => !demoIds.has(id));
  const emails = new Map(compared.length === 0 ? [] : (await selectEmails(store.db, compared).execute()).map(({ id, email }) => [id, email]));
  const bounds = accountId === undefined ? ofManyAccounts : ofOneAccount;
  const total = createScoreComparison();
  const accounts: OperatorComparison["accounts"] = [];
  let isSample = false;
  for (const id of compared) {
    const own = createScoreComparison();
    const add = (pair: ScorePair) => {
      own.add(pair);
      total.add(pair);
    };
    if (await comparePairs(store, { accountId: id, fromMs, toMs, bounds }, { before: "answered", other, add })) isSample = true;
    const { sessions, same_level, mean_difference } = own.result();
    accounts.push({ account_id: id, email: emails.get(id) ?? "", sessions, same_level, mean_difference });
  }
  const isAll = busiest.length <= accountsMax;
  const span = { from: isoTime(fromMs), to: isoTime(toMs) };
  return { total: { ...span, before: "answered", other: other.version, is_sample: isSample || !isAll, ...total.result() }, accounts, is_all: isAll };
}
