// node bench/memory.ts [--calls N --seconds N --options="--max-semi-space-size=8 …"]: memory of the service on SQLite: after the start,
// with the dashboard opened by a developer and an operator, and over that many calls with both still signed in. Other options of
// Node than those of `npm start` can be tried.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { developerSamples, operatorSamples, type SampleIds } from "../apps/api/test/access/route-samples.ts";
import { type Browser, goodPassword, openBrowser, signIn } from "../apps/api/test/people/browser.ts";
import { measureLoad } from "./measure-load.ts";
import { prepareAccount } from "./prepare-account.ts";
import { type BenchChild, fillCompileCache, readNodeOptions, root, splitOptions, startChild } from "./start-child.ts";

const { values } = parseArgs({
  options: { calls: { type: "string", default: "1000000" }, seconds: { type: "string", default: "20" }, options: { type: "string", default: readNodeOptions().join(" ") } },
});
const callsWanted = Number(values.calls);
const secondsPerStep = Number(values.seconds);
const residentMiBMax = 240;

const email = { developer: "developer@localhost", operator: "operator@localhost" };

/** What the pages read and that needs no id or parameter. */
const readsOf = (samples: ReturnType<typeof developerSamples>): string[] =>
  Object.entries(samples).filter(([route, { query }]) => route.startsWith("GET ") && !route.includes(":") && query === undefined).map(([route]) => route.slice("GET ".length));

async function readAll(browser: Browser, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const { status } = await browser.get(path, { "accept-encoding": "br" });
    if (status !== 200) throw new Error(`${path} answered ${status}`);
  }
}

/** The page with its scripts and styles, the sign-in, and then what its parts read. */
async function openDashboard(service: BenchChild, person: keyof typeof email): Promise<Browser> {
  const visitor = openBrowser(service);
  const page = await visitor.get("/dashboard/");
  await readAll(visitor, [...page.text.matchAll(/(?:href|src)="(\/dashboard\/[^"]+)"/g)].map(([, path]) => path!));
  const browser = await signIn(service, { email: email[person], password: goodPassword });
  await readPages(browser, person);
  return browser;
}

async function readPages(browser: Browser, person: keyof typeof email): Promise<void> {
  // What names something of an account is not read.
  const ids = { webhook: {}, operatorWebhook: {} } as SampleIds;
  await readAll(browser, readsOf(person === "operator" ? { ...developerSamples(ids), ...operatorSamples(ids) } : developerSamples(ids)));
}

/** Resident memory as the system sees it; the rest as Node counts it for its main thread. */
async function printMemory(service: BenchChild, step: string, failed = 0): Promise<void> {
  const metrics = await (await fetch(`${service.url}/metrics`)).text();
  const mib = (name: string) => (Number(new RegExp(`^${name} (\\d+)`, "m").exec(metrics)?.[1] ?? Number.NaN) / 2 ** 20).toFixed(0);
  const cells = [service.residentMiB().toFixed(0), mib("nodejs_heap_size_total_bytes"), mib("nodejs_heap_size_used_bytes"), mib("nodejs_external_memory_bytes"), String(failed)];
  console.log(`${step.padEnd(28)}${cells.map((cell) => cell.padStart(12)).join("")}`);
}

const dataDir = mkdtempSync(join(tmpdir(), "assay-memory-"));
process.on("exit", () => rmSync(dataDir, { recursive: true, force: true }));
await fillCompileCache([root], dataDir, callsWanted);
const storeSettings = { databaseUrl: undefined, dataDir };
const apiKey = await prepareAccount(storeSettings, { email: email.developer, password: goodPassword, operator: false });
await prepareAccount(storeSettings, { email: email.operator, password: goodPassword, operator: true });
const service = await startChild(["apps/api/src/main.ts"], { DATA_DIR: dataDir, PORT: "0", OPERATOR_SECOND_FACTOR: "off" }, splitOptions(values.options));
console.log(`MiB${" ".repeat(25)}    resident        heap   heap used    external      failed`);
await printMemory(service, "started");
const developer = await openDashboard(service, "developer");
await printMemory(service, "developer signed in");
const operator = await openDashboard(service, "operator");
await printMemory(service, "operator signed in");
let calls = 0;
while (calls < callsWanted) {
  const load = await measureLoad(service.url, { apiKey, seconds: secondsPerStep, connections: 64, uniqueKeys: false });
  if (load.calls === 0) throw new Error(`no call succeeded, ${load.errors} failed`);
  calls += load.calls;
  await printMemory(service, `${calls} calls`, load.errors);
}
const residentMiB = service.residentMiB();
await readPages(developer, "developer");
await readPages(operator, "operator");
await printMemory(service, "pages read again");
console.log(`after ${calls} calls ${residentMiB.toFixed(0)} MiB; target ≤ ${residentMiBMax} MiB after 1000000: ${residentMiB <= residentMiBMax ? "reached" : "missed"}`);
await service.stop();
