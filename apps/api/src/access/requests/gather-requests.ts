import { msPerMinute, roundMs, startOfHour } from "../../formats/time.ts";
import type { RequestHourRow, RequestLogRow } from "../../store/schema-dashboard.ts";

/** Rows that are logged one by one, per account, minute and node; the rest of the minute is only counted. */
export const successesPerMinuteMax = 30;
export const refusalsPerMinuteMax = 30;
/** Bounds of memory: beyond them nothing more is recorded until the next flush. */
const talliesMax = 20_000;
const rowsWaitingMax = 5_000;
const accountsMax = 20_000;
const messageLengthMax = 300;

/** The names of billed routes in the ledger. */
const billedNames: Readonly<Record<string, string>> = {
  "/api/ml/predict": "predict",
  "/ml/predict": "predict",
  "/api/ml/score": "score",
  "/api/ml/analyze": "analyze",
  "/api/servicescore/analyze": "servicescore_analyze",
};

/** The name of an endpoint in usage reports: as in the ledger, or its method and route pattern. */
export const endpointOf = (request: { method: string; route: string }): string =>
  billedNames[request.route] ?? `${request.method} ${request.route}`;

export type AnsweredRequest = {
  accountId: string;
  /** Empty for a call without a key, from the playground. */
  keyId: string;
  atMs: number;
  requestId: string;
  method: string;
  route: string;
  status: number;
  durationMs: number;
  failure: { code: string; message: string } | undefined;
};

type Tally = Pick<AnsweredRequest, "accountId" | "keyId" | "method" | "route" | "status"> & {
  hourMs: number;
  minuteMs: number;
  requests: number;
  /** Requests of the minute that were counted but not logged. */
  more: number;
  failure: AnsweredRequest["failure"];
};

type AccountMinute = { minuteMs: number; successes: number; refusals: number };

/** Moves the count of a tally to the row of its hour; two paths of one endpoint share a row. */
function addToHours(hours: Map<string, RequestHourRow>, tally: Tally): void {
  if (tally.requests === 0) return;
  const { accountId, keyId, status, hourMs } = tally;
  const endpoint = endpointOf(tally);
  const name = `${accountId} ${hourMs} ${endpoint} ${keyId} ${status}`;
  const hour = hours.get(name) ?? { account_id: accountId, hour: hourMs, endpoint, key_id: keyId, status, requests: 0 };
  hour.requests += tally.requests;
  tally.requests = 0;
  hours.set(name, hour);
}

export type RequestGatherer = {
  add(request: AnsweredRequest): void;
  /** Takes the rows to write. Summaries are included once their minute is over, or if `isLast`. */
  take(nowMs: number, isLast: boolean): { hours: RequestHourRow[]; logs: RequestLogRow[] };
};

/**
 * Counts requests and logs the first ones of each minute, in bounded memory and without I/O. It is on the hot path of
 * every call, so `add` builds no strings: it does two look-ups and a few additions.
 */
export function createRequestGatherer(nextId: (atMs: number) => string): RequestGatherer {
  /** By key, or by account for calls without a key. */
  const owners = new Map<string, Tally[]>();
  const accounts = new Map<string, AccountMinute>();
  let talliesCount = 0;
  let rows: RequestLogRow[] = [];
  let summaries: Tally[] = [];

  function openTally(request: AnsweredRequest, minuteMs: number): Tally | undefined {
    if (talliesCount >= talliesMax) return undefined;
    talliesCount += 1;
    const { accountId, keyId, method, route, status, failure } = request;
    const tally = { accountId, keyId, method, route, status, failure, hourMs: startOfHour(minuteMs), minuteMs, requests: 0, more: 0 };
    const owner = keyId === "" ? accountId : keyId;
    const known = owners.get(owner);
    if (known) known.push(tally);
    else owners.set(owner, [tally]);
    return tally;
  }

  function tallyOf(request: AnsweredRequest, minuteMs: number): Tally | undefined {
    const { status, route, method } = request;
    const hourMs = startOfHour(minuteMs);
    for (const tally of owners.get(request.keyId === "" ? request.accountId : request.keyId) ?? []) {
      if (tally.status !== status || tally.route !== route || tally.method !== method || tally.hourMs !== hourMs) continue;
      if (tally.minuteMs !== minuteMs) {
        // Many minutes pass between two flushes while the store hangs.
        if (tally.more > 0 && summaries.length < talliesMax) summaries.push({ ...tally });
        tally.minuteMs = minuteMs;
        tally.more = 0;
      }
      return tally;
    }
    return openTally(request, minuteMs);
  }

  /** Takes one of the account's rows of this minute; false if there is none left. */
  function takeRoom(request: AnsweredRequest, minuteMs: number): boolean {
    let account = accounts.get(request.accountId);
    if (!account) {
      if (accounts.size >= accountsMax) return false;
      account = { minuteMs, successes: 0, refusals: 0 };
      accounts.set(request.accountId, account);
    } else if (account.minuteMs !== minuteMs) {
      account.minuteMs = minuteMs;
      account.successes = 0;
      account.refusals = 0;
    }
    if (rows.length >= rowsWaitingMax) return false;
    if (request.status < 400) return (account.successes += 1) <= successesPerMinuteMax;
    return (account.refusals += 1) <= refusalsPerMinuteMax;
  }

  const rowOf = (of: Pick<Tally, "accountId" | "keyId" | "method" | "route" | "status" | "failure">, atMs: number) => ({
    account_id: of.accountId,
    id: nextId(atMs),
    at: atMs,
    method: of.method,
    endpoint: of.route,
    key_id: of.keyId,
    status: of.status,
    error: of.failure?.code ?? null,
    message: of.failure?.message.slice(0, messageLengthMax) ?? null,
  });

  return {
    add(request) {
      const minuteMs = request.atMs - (request.atMs % msPerMinute);
      const tally = tallyOf(request, minuteMs);
      if (tally) tally.requests += 1;
      if (takeRoom(request, minuteMs)) {
        rows.push({ ...rowOf(request, request.atMs), request_id: request.requestId, duration_ms: roundMs(request.durationMs), requests: 1 });
      } else if (tally) {
        tally.more += 1;
      }
    },
    take(nowMs, isLast) {
      const hours = new Map<string, RequestHourRow>();
      for (const [owner, some] of owners) {
        for (const tally of some) addToHours(hours, tally);
        const isOver = (tally: Tally) => isLast || tally.minuteMs + msPerMinute <= nowMs;
        summaries.push(...some.filter((tally) => tally.more > 0 && isOver(tally)));
        const open = some.filter((tally) => tally.more > 0 && !isOver(tally));
        talliesCount -= some.length - open.length;
        if (open.length > 0) owners.set(owner, open);
        else owners.delete(owner);
      }
      for (const [accountId, account] of accounts) {
        if (account.minuteMs + msPerMinute <= nowMs) accounts.delete(accountId);
      }
      const more = summaries.map((tally) => ({ ...rowOf(tally, tally.minuteMs), request_id: null, duration_ms: null, requests: tally.more }));
      const logs = [...rows, ...more];
      rows = [];
      summaries = [];
      return { hours: [...hours].toSorted(([left], [right]) => (left < right ? -1 : 1)).map(([, hour]) => hour), logs };
    },
  };
}
