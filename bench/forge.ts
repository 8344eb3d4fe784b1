// node bench/forge.ts [--quick] [--data FOLDER]: what invented sessions earn, and which honest accounts are held, in a simulated year.
// node bench/forge.ts --attested [--seconds N]: what forgers of attested sessions get from a running service.
import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { isoTime } from "../apps/api/src/formats/time.ts";
import { countForbidden, describeAttested } from "./forge/attested/describe-attested.ts";
import { runAttested } from "./forge/attested/run-attested.ts";
import { listAttackers, listMishaps, listUnseen } from "./forge/attackers.ts";
import { describeAttackers, findBreaches } from "./forge/describe-attackers.ts";
import { describeHonest, findHonestBreaches } from "./forge/describe-honest.ts";
import { simulateHonestClicks } from "./forge/honest-clicks.ts";
import { readRealSessions } from "./forge/real-sessions.ts";
import { runAttackers } from "./forge/run-attackers.ts";
import { runHonest } from "./forge/run-honest.ts";
import { simulationStartMs } from "./forge/run-installation.ts";

const usage = `node bench/forge.ts [OPTIONS]
Simulates forgers and honest accounts through the real charges, checks, jobs and payouts with a clock of its own, and prints a
table in Markdown. Progress goes to standard error. Exits with 1 if an attacker gets more than is promised, or honest accounts
are held or wait more often.

  --quick              a tenth of the honest accounts, and 75 days for the attackers, of which two months are paid
  --accounts N         honest accounts, default 10000
  --days N             for attackers and honest accounts, default 365
  --start DATE         the attackers' first day, default 2026-01-01
  --data FOLDER        with train.csv (see training/), for the attackers that send real sessions again. Without it they
                       send sessions of a simulated site again
  --attackers PATTERN  only attackers whose name matches this regular expression
  --sample N           honest accounts that work in the store beside the attackers, default 50
  --only PART          attackers or honest
  --threads N          default: all cores
  --seed N             default 1

With --attested: forgers of attested sessions against a service in a process of its own, over HTTP and in real time. Exits with 1 if
anything is accepted beyond the rules.

  --seconds N          how long attacks at a rate last, default 75
  --copies N           of one session that are redeemed at once, default 1000
  --tabs N             of the browser farm, default 4; 0 leaves it out
  --help
`;

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    accounts: { type: "string" },
    days: { type: "string" },
    start: { type: "string", default: isoTime(simulationStartMs).slice(0, "YYYY-MM-DD".length) },
    data: { type: "string" },
    attackers: { type: "string" },
    sample: { type: "string", default: "50" },
    only: { type: "string" },
    threads: { type: "string", default: String(availableParallelism()) },
    seed: { type: "string", default: "1" },
    attested: { type: "boolean", default: false },
    seconds: { type: "string", default: "75" },
    copies: { type: "string", default: "1000" },
    tabs: { type: "string", default: "4" },
    help: { type: "boolean", default: false },
  },
});
const isWanted = (part: string) => !values.attested && (values.only === undefined || values.only === part);
if (values.help || (values.only !== undefined && !["attackers", "honest"].includes(values.only)) || (values.data !== undefined && !existsSync(values.data))) {
  process.stdout.write(usage);
  process.exit(values.help ? 0 : 2);
}
const seed = Number(values.seed);
const days = Number(values.days ?? (values.quick ? 75 : 365));
const honest = { accounts: Number(values.accounts ?? (values.quick ? 1_000 : 10_000)), days: Number(values.days ?? 365), seed, threads: Number(values.threads) };
const startedMs = performance.now();
const tell = (text: string) => process.stderr.write(`${((performance.now() - startedMs) / 1_000).toFixed(0).padStart(5)} s  ${text}\n`);

function tellBreaches(breaches: readonly string[]): void {
  process.stdout.write(`${breaches.length === 0 ? "Every promise holds." : breaches.map((each) => `PROMISE BROKEN: ${each}`).join("\n")}\n\n`);
  if (breaches.length > 0) process.exitCode = 1;
}

if (values.attested) {
  const seconds = Number(values.seconds);
  const run = await runAttested({ seconds, copies: Number(values.copies), tabs: Number(values.tabs), tell });
  process.stdout.write(describeAttested(run, { seconds }));
  if (countForbidden(run) > 0) process.exitCode = 1;
}
if (isWanted("attackers")) {
  const { sessions, origin } = readRealSessions(values.data, seed);
  const honestAccounts = Number(values.sample);
  const wanted = new RegExp(values.attackers ?? "");
  const attackers = [...listAttackers(sessions), ...listUnseen(), ...listMishaps()].filter(({ name }) => wanted.test(name));
  const { outcomes, honest: sample } = await runAttackers(attackers, { startMs: Date.parse(values.start), days, seed, honestAccounts, tell });
  process.stdout.write(describeAttackers(outcomes, { days, start: values.start, origin, honest: sample }));
  tellBreaches(findBreaches(outcomes, values.start));
}
if (isWanted("honest")) {
  const results = await runHonest(honest, tell);
  const clicks = simulateHonestClicks(honest);
  process.stdout.write(describeHonest(results, clicks, honest));
  tellBreaches(findHonestBreaches(results, clicks));
}
