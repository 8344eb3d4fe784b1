// node bench/sign-in-flood.ts [--rounds N --sign-ins N]: how long somebody who knows the password takes to sign in, and an operator to
// confirm a session, while strangers sign in at the same moment from as many addresses. Only this machine is asked.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { type Answer, send } from "../apps/api/test/send.ts";
import { median } from "./median.ts";
import { prepareAccount } from "./prepare-account.ts";
import { startChild } from "./start-child.ts";

const { values } = parseArgs({ options: { rounds: { type: "string", default: "5" }, "sign-ins": { type: "string", default: "300" } } });
/** More would be refused for their number: an account confirms 20 times in ten minutes, twice a round. */
const rounds = Math.min(9, Number(values.rounds));
const signIns = Math.min(1_000, Number(values["sign-ins"]));
/** Somebody who is sent away comes back when told to, and gives up after this. */
const patienceMs = 60_000;
/** The flood is on its way before anybody else comes. */
const headStartMs = 50;

const dataDir = mkdtempSync(join(tmpdir(), "assay-sign-in-flood-"));
process.on("exit", () => rmSync(dataDir, { recursive: true, force: true }));
const person = { email: "bench@example.com", password: "seven quiet herons", operator: true };
await prepareAccount({ databaseUrl: undefined, dataDir }, person);
const service = await startChild(["apps/api/src/main.ts"], { DATA_DIR: dataDir, PORT: "0", TRUST_PROXY: "127.0.0.1/32", LOG_LEVEL: "silent" });

/** Status 0: the connection was closed without an answer. */
type Reply = Pick<Answer, "status" | "headers">;
const unanswered: Reply = { status: 0, headers: {} };
const post = (path: string, body: object, headers: Record<string, string>): Promise<Reply> =>
  send(service, `/dashboard/api/auth/${path}`, { method: "POST", body, headers: { "content-type": "application/json", connection: "close", origin: service.url, ...headers } }).catch(() => unanswered);

/** `firstStatus` and `firstMs`: of the first answer. `ms`: until it was let in; infinite if it never was. */
type Outcome = { firstStatus: number; firstMs: number; ms: number; asked: number };

async function askUntilDone(ask: () => Promise<Reply>): Promise<Outcome & { last: Reply }> {
  const startedMs = performance.now();
  const elapsedMs = () => performance.now() - startedMs;
  let last = await ask();
  const first = { firstStatus: last.status, firstMs: elapsedMs() };
  let asked = 1;
  while ((last.status === 503 || last.status === 0) && elapsedMs() < patienceMs) {
    await sleep(1_000 * Number(last.headers["retry-after"] ?? 1));
    last = await ask();
    asked += 1;
  }
  return { ...first, asked, ms: last.status === 200 ? elapsedMs() : Number.POSITIVE_INFINITY, last };
}

const cookieOf = ({ headers }: Reply): string => (headers["set-cookie"] ?? []).map((line) => line.split(";")[0]).join("; ");
const signIn = () => askUntilDone(() => post("sign-in/email", { email: person.email, password: person.password }, { "x-forwarded-for": "203.0.113.5" }));
const confirm = (cookie: string) => askUntilDone(() => post("step-up", { password: person.password }, { "x-forwarded-for": "203.0.113.5", cookie }));

let strangers = 0;
async function flood(): Promise<{ statuses: number[]; ms: number }> {
  const startedMs = performance.now();
  const answers = await Promise.all(
    Array.from({ length: signIns }, () => {
      strangers += 1;
      // Each in a network of its own.
      const address = `10.${strangers >> 8}.${strangers & 255}.7`;
      return post("sign-in/email", { email: `nobody-${strangers}@example.com`, password: "not the right one" }, { "x-forwarded-for": address });
    }),
  );
  return { statuses: answers.map(({ status }) => status), ms: performance.now() - startedMs };
}

const quiet: { signIn: Outcome[]; confirm: Outcome[] } = { signIn: [], confirm: [] };
const flooded: typeof quiet = { signIn: [], confirm: [] };
const floods: { statuses: number[]; ms: number }[] = [];
let { last: signedIn } = await signIn();
for (let round = 0; round < rounds; round += 1) {
  quiet.signIn.push(await signIn());
  const confirmed = await confirm(cookieOf(signedIn));
  quiet.confirm.push(confirmed);
  const under = flood();
  await sleep(headStartMs);
  const [next, again] = await Promise.all([signIn(), confirm(cookieOf(confirmed.last))]);
  flooded.signIn.push(next);
  flooded.confirm.push(again);
  floods.push(await under);
  signedIn = next.last;
}
await service.stop();

const seconds = (ms: number) => (ms / 1_000).toFixed(2);
function describe(name: string, outcomes: Outcome[]): string {
  const firsts = Map.groupBy(outcomes, ({ firstStatus }) => firstStatus);
  const first = Array.from(firsts, ([status, some]) => `${some.length} × ${status}`).join(", ");
  const times = outcomes.map(({ ms }) => ms);
  return `${name.padEnd(34)}${first.padStart(20)}${seconds(median(outcomes.map(({ firstMs }) => firstMs))).padStart(12)}${seconds(median(times)).padStart(10)}${seconds(Math.max(...times)).padStart(10)}${String(Math.max(...outcomes.map(({ asked }) => asked))).padStart(8)}`;
}
console.log(`${rounds} rounds of ${signIns} sign-ins from as many networks at once; seconds`);
console.log(`${" ".repeat(34)}      first answers       after    let in   longest   asked`);
console.log(describe("a sign-in, no flood", quiet.signIn));
console.log(describe("a sign-in during the flood", flooded.signIn));
console.log(describe("an operator's step-up, no flood", quiet.confirm));
console.log(describe("an operator's step-up, during it", flooded.confirm));
const all = floods.flatMap(({ statuses }) => statuses);
const counted = Array.from(Map.groupBy(all, (status) => status), ([status, some]) => `${some.length} × ${status}`).join(", ");
console.log(`the flood was answered ${counted}, the last of a round after ${seconds(median(floods.map(({ ms }) => ms)))} s`);
if ([...flooded.signIn, ...flooded.confirm].some(({ ms }) => ms === Number.POSITIVE_INFINITY)) process.exit(1);
