import { setTimeout as sleep } from "node:timers/promises";
import { clickUrlOf, follow, impressionUrlOf, requestAd } from "../../ads/serving/send-tracking.ts";
import { tooFastMs } from "../../../src/ads/clicks/click-verdict.ts";
import type { TestAccount } from "../../make-account.ts";
import { type Answer, predict, send } from "../../send.ts";
import { type CallBook, type CallPath, createCallBook } from "./call-book.ts";
import type { FaultWindows } from "./fault-windows.ts";
import { attemptCall, openConnection } from "./load.ts";
import type { SeededRandom } from "./seeded-random.ts";

/** Longer than any request may take under any fault. */
const answerMsMax = 40_000;
const thinkMsMax = 160;
const keyedShare = 0.5;
const outcomeShare = 0.1;
const secondClickShare = 0.2;
const clients = { callers: 10, people: 6, readers: 2 };

const pages = ["/dashboard/api/me", "/dashboard/api/overview", "/dashboard/api/usage", "/dashboard/api/ledger", "/dashboard/api/revenue"];
const outcomes = ["converted", "genuine", "refunded", "fraud", "bot"];

/** Share of each endpoint in percent. Reports are expensive, so they are few. */
const callMix: readonly [CallPath, number][] = [
  ["/api/ml/predict", 50],
  ["/ml/predict", 10],
  ["/api/ml/score", 20],
  ["/api/ml/analyze", 17],
  ["/api/servicescore/analyze", 3],
];

/** Outcomes reported for one session: accepted ones, and those with an unknown result. */
export type OutcomeCount = { accepted: number; unknown: number };

export type MixedLoad = {
  book: CallBook;
  /** Ads returned with a 200. */
  adIds: Set<string>;
  /** By session. */
  outcomes: Map<string, OutcomeCount>;
  /** Resolves when every client has finished its current step. */
  pause(): Promise<void>;
  resume(): void;
  stop(): Promise<void>;
};

export type MixedLoadSettings = {
  url: string;
  random: SeededRandom;
  accounts: readonly TestAccount[];
  /** Cookie of a signed-in account. */
  cookie: string;
  windows: FaultWindows;
  /** Multiplies the number of clients. */
  weight?: number;
};

const requestIdOf = ({ headers }: Answer): string | undefined => headers["x-request-id"] as string | undefined;

function choosePath(random: SeededRandom): CallPath {
  let left = random.between(1, 100);
  for (const [path, share] of callMix) {
    left -= share;
    if (left <= 0) return path;
  }
  return callMix[0]![0];
}

/** Concurrent load through one URL: developers' servers, visitors who see ads and click, and a developer at the dashboard. */
export function startMixedLoad(settings: MixedLoadSettings): MixedLoad {
  const { url, random, accounts, windows, weight = 1 } = settings;
  const service = { url };
  const book = createCallBook();
  const adIds = new Set<string>();
  const outcomeCounts = new Map<string, OutcomeCount>();
  const state: { stopped: boolean; held: PromiseWithResolvers<void> | undefined; busy: number } = { stopped: false, held: undefined, busy: 0 };

  const chooseAccount = () => accounts[random.between(0, accounts.length - 1)]!;

  /** Sends a request and records its result; returns undefined if there was no answer. */
  async function attempt(what: string, good: readonly number[], work: () => Promise<Answer>): Promise<Answer | undefined> {
    const startedMs = performance.now();
    const hung = sleep(answerMsMax, "hung" as const, { ref: false });
    const answer = await Promise.race([work().catch((error: NodeJS.ErrnoException) => error), hung]);
    if (answer === "hung") windows.note({ what, outcome: "hung", isGood: false, startedMs });
    else if (answer instanceof Error) windows.note({ what, outcome: answer.code === "ECONNREFUSED" ? "refused" : "cut", isGood: false, startedMs });
    else windows.note({ what, outcome: String(answer.status), isGood: good.includes(answer.status), startedMs, requestId: requestIdOf(answer) });
    return answer === "hung" || answer instanceof Error ? undefined : answer;
  }

  async function reportOutcome(account: TestAccount, sessionId: string): Promise<void> {
    const body = { outcome: outcomes[random.between(0, outcomes.length - 1)] };
    const path = `/api/sessions/${sessionId}/outcome`;
    const answer = await attempt("POST outcome", [200], () => predict(service, account.liveKey, { path, body }));
    const count = outcomeCounts.get(sessionId) ?? { accepted: 0, unknown: 0 };
    outcomeCounts.set(sessionId, count);
    if (answer?.status === 200) count.accepted += 1;
    // An outcome is free, so a 5xx guarantees nothing: it may be stored, and the last one counts.
    else if (answer === undefined || answer.status >= 500) count.unknown += 1;
  }

  function createCaller(): () => Promise<void> {
    const connection = openConnection();
    return async () => {
      const account = chooseAccount();
      const path = choosePath(random);
      const record = book.open(account, random.isTrue(keyedShare), path);
      const startedMs = performance.now();
      const made = await attemptCall(connection, url, record);
      const outcome = made.kind === "answered" ? String(made.status) : made.kind;
      windows.note({ what: `POST ${path}`, outcome, isGood: outcome === "200", startedMs, requestId: made.kind === "answered" ? made.requestId : undefined });
      const sessionId = made.kind === "answered" && path !== "/api/servicescore/analyze" ? made.sessionId : undefined;
      if (sessionId !== undefined && random.isTrue(outcomeShare)) await reportOutcome(account, sessionId);
    };
  }

  async function seeAndClick(): Promise<void> {
    const { liveKey } = chooseAccount();
    const ad = await attempt("POST ad", [200], () => requestAd(service, liveKey, { user_context: { app_category: "gaming" } }));
    if (ad?.status !== 200) return;
    adIds.add(String(ad.json()["ad_id"]));
    await attempt("GET impression", [200], () => follow(service, impressionUrlOf(ad)));
    await sleep(tooFastMs + random.between(20, 200));
    for (let clicks = random.isTrue(secondClickShare) ? 2 : 1; clicks > 0; clicks -= 1) {
      await attempt("GET click", [302], () => follow(service, clickUrlOf(ad)));
    }
  }

  async function readPage(): Promise<void> {
    const page = pages[random.between(0, pages.length - 1)]!;
    await attempt(`GET ${page}`, [200], () => send(service, page, { headers: { cookie: settings.cookie } }));
  }

  async function run(step: () => Promise<void>): Promise<void> {
    while (!state.stopped) {
      if (state.held) {
        await state.held.promise;
        continue;
      }
      state.busy += 1;
      try {
        await step();
      } finally {
        state.busy -= 1;
      }
      await sleep(random.between(0, thinkMsMax));
    }
  }

  const start = (count: number, make: () => () => Promise<void>) => Array.from({ length: count * weight }, () => run(make()));
  const running = Promise.all([
    ...start(clients.callers, createCaller),
    ...start(clients.people, () => seeAndClick),
    ...start(clients.readers, () => readPage),
  ]);
  return {
    book,
    adIds,
    outcomes: outcomeCounts,
    async pause() {
      state.held ??= Promise.withResolvers<void>();
      while (state.busy > 0) await sleep(5);
    },
    resume() {
      state.held?.resolve();
      state.held = undefined;
    },
    async stop() {
      state.stopped = true;
      state.held?.resolve();
      await running;
    },
  };
}
