// Runs as a separate process: the test runner tracks every promise, which would cost more than the requests themselves
// and distort the memory figures. Prints its outcome as one line of JSON.
import { createReadStream, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { verifyLedger } from "../../../src/money/ledger/verify-ledger.ts";
import type { ApiDocument } from "../../http/check-answer.ts";
import { sqliteFileName } from "../../../src/store/open-store.ts";
import { takeFindings } from "../../http/watch-answers.ts";
import { addEntries, extend } from "../../log/log-context.ts";
import { makeAccount } from "../../make-account.ts";
import { openApp } from "../../open-app.ts";
import { createSeededRandom } from "../rig/seeded-random.ts";
import type { FuzzRequest } from "./draw-request.ts";
import { createFuzzIdentities } from "./fuzz-identities.ts";
import { createJudge } from "./judge-answer.ts";
import { collectRoutes, type Finding, type FuzzContext, runFuzz, sendFuzzRequest } from "./run-fuzz.ts";
import { watchCoverage } from "./watch-coverage.ts";
import { createWordStore } from "./word-store.ts";

export type FuzzOutcome = {
  seed: number;
  requests: number;
  seconds: number;
  routes: number;
  routesReached: number;
  blocks: number;
  statuses: Record<string, number>;
  /** Regressions that fail again. */
  regressions: Finding[];
  findings: Finding[];
  /** Answers that differ from the schemas of their routes. */
  undescribed: string[];
  /** Documented routes that were not tried, and those without a success. */
  untried: string[];
  unreached: string[];
  heapAtHalfBytes: number;
  heapAtEndBytes: number;
  changedPrototypes: string[];
  ledger: { ok: boolean; entries: number };
  /** Whether the content of an unknown field is anywhere in the store's files. */
  isUnknownStored: boolean;
};

const requests = Number(process.env.ASSAY_FUZZ_REQUESTS ?? 20_000);
/** Content of fields that no schema has: it must not appear in any answer or table. */
const canary = "qz-canary-of-unknown-fields";
const hasCanary = (text: string): boolean => text.includes(canary);
const sources = new URL("../../../src/", import.meta.url).href;

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

function measureHeap(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

/** Streams the store's files: after a million requests they exceed the maximum string length. */
async function isInFiles(folder: string, text: string): Promise<boolean> {
  for (const name of readdirSync(folder).filter((each) => each.startsWith(sqliteFileName))) {
    let last = "";
    for await (const chunk of createReadStream(join(folder, name), { encoding: "latin1" })) {
      const part = last + String(chunk);
      if (part.includes(text)) return true;
      last = part.slice(-text.length);
    }
  }
  return false;
}

async function sendRegressions(context: FuzzContext): Promise<Finding[]> {
  const known = JSON.parse(readFileSync(new URL("../fuzz-regressions.json", import.meta.url), "utf8")) as { request: FuzzRequest }[];
  const findings: Finding[] = [];
  for (const { request } of known) {
    const answer = await sendFuzzRequest(context, request);
    const problem = context.judge(request, answer);
    if (problem !== undefined) findings.push({ problem, request, answer: answer.text.slice(0, 400) });
  }
  return findings;
}

function documentedRoutes(document: ApiDocument): string[] {
  const ofPath = ([path, methods]: [string, object]) => Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/\{tile\}$/, "*").replaceAll(/\{(\w+)\}/g, ":$1")}`);
  return Object.entries(document.paths ?? {}).flatMap(ofPath);
}

const startedMs = performance.now();
const random = createSeededRandom();
const routes = collectRoutes();
const opened = await openApp({ METRICS_TOKEN: "fuzz-monitor" });
const document = opened.app.swagger() as ApiDocument;
const documented = documentedRoutes(document);
await addEntries(opened.deps.store, (await makeAccount(opened.deps.store)).accountId, 2);
await extend(opened.deps.store);
const identities = await createFuzzIdentities(opened);
const context: FuzzContext = {
  opened,
  routes,
  documented,
  identities,
  words: createWordStore(random, hasCanary, identities.planted),
  unknown: () => canary,
  random,
  coverage: await watchCoverage((url) => url.startsWith(sources)),
  judge: createJudge(document, hasCanary),
};
let heapAtHalfBytes = 0;
const report = await runFuzz(context, requests, async () => {
  heapAtHalfBytes = measureHeap();
});
const heapAtEndBytes = measureHeap();
// Last, because some regressions use up what others need.
const regressions = await sendRegressions(context);
const { ok, entries } = await verifyLedger(opened.deps.store);
const tried = new Set(routes.map(({ method, url }) => `${method} ${url}`));
const outcome: FuzzOutcome = {
  seed: random.seed,
  requests: report.answered,
  seconds: Math.round((performance.now() - startedMs) / 1_000),
  routes: routes.length,
  routesReached: routes.filter(({ method, url }) => report.routesReached.has(`${method} ${url}`)).length,
  blocks: context.coverage.count(),
  statuses: Object.fromEntries(report.statuses),
  regressions,
  findings: report.findings,
  undescribed: takeFindings(),
  untried: documented.filter((route) => !tried.has(route)),
  unreached: documented.filter((route) => !report.routesReached.has(route)),
  heapAtHalfBytes,
  heapAtEndBytes,
  changedPrototypes: [Object.prototype, Array.prototype].flatMap((each) => Object.keys(each)),
  ledger: { ok, entries },
  isUnknownStored: await isInFiles(opened.dataDir, canary),
};
process.stdout.write(`${JSON.stringify(outcome)}\n`);
// A request that is never answered must not keep the process alive.
process.exit();
