// Every benchmark runs once, as small as it can be. What is asserted is the shape of its output, never a speed.
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { hasRedisServer } from "../apps/api/test/access/start-redis.ts";
import { whyPostgresIsSkipped } from "../apps/api/test/start-postgres.ts";
import { checkOut } from "./check-out.ts";
import { readNodeOptions, root } from "./start-child.ts";

/** Two fit on the usual two cores, and both wait for other programs much of the time. */
const runsAtOnce = 2;
const whyServersAreSkipped = whyPostgresIsSkipped() || (hasRedisServer() ? false : "no redis-server");
const whyGitIsSkipped = spawnSync("git", ["--version"]).status === 0 ? false : "no git";

const folder = mkdtempSync(join(tmpdir(), "assay-bench-test-"));
const gitDir = join(folder, "git");
const git = (...words: string[]): string => execFileSync("git", words, { cwd: root, env: { ...process.env, GIT_DIR: gitDir, GIT_WORK_TREE: root }, encoding: "utf8" }).trim();
after(() => rmSync(folder, { recursive: true, force: true }));

type Row = { name: string; numbers: number[]; verdicts: string[] };

/** The rows below a header up to the next empty line: a name, then numbers. */
function readTable(output: string, header: RegExp): Row[] {
  const lines = output.split("\n");
  const start = lines.findIndex((line) => header.test(line));
  assert.ok(start >= 0, `no line matches ${header} in:\n${output}`);
  const end = lines.findIndex((line, index) => index > start && line.trim() === "");
  return lines.slice(start + 1, end).map((line) => {
    const [, name = "", cells = line] = /^([^\d\s].*?)\s{2,}(.*)$/.exec(line) ?? [];
    return { name, numbers: [...cells.matchAll(/-?\d+(?:\.\d+)?|NaN|Infinity/g)].map(([number]) => Number(number)), verdicts: cells.match(/[≥≤] \d\.\d\d (?:reached|missed)\b/g) ?? [] };
  });
}

/** Every row has this many numbers, all of them finite, and those that must be are above 0. */
function assertNumbers(rows: readonly Omit<Row, "verdicts">[], columns: number, positive: readonly number[]): void {
  for (const { name, numbers } of rows) {
    assert.equal(numbers.length, columns, `${name}: ${numbers.join(" ")}`);
    assert.ok(numbers.every(Number.isFinite), `${name}: ${numbers.join(" ")}`);
    for (const column of positive) assert.ok(numbers[column]! > 0, `${name}, column ${column}: ${numbers.join(" ")}`);
  }
}

const assertAllPositive = (rows: readonly Omit<Row, "verdicts">[], columns: number): void => assertNumbers(rows, columns, Array.from({ length: columns }, (_, column) => column));
const namesOf = (rows: readonly Row[]): string[] => rows.map(({ name }) => name);

/** calls/s, p50, p99, main thread, all threads, database, failed, memory. */
function checkContenders(rows: readonly Row[], names: readonly string[], hasDatabase: boolean): void {
  assert.deepEqual(namesOf(rows), names);
  assertNumbers(rows, 8, [0, 1, 2, 3, 4, 7]);
  for (const { name, numbers } of rows) {
    const [mainUs, allUs, databaseUs, failed] = numbers.slice(3, 7);
    assert.ok(mainUs! <= allUs!, name);
    if (!hasDatabase) assert.equal(databaseUs, 0, name);
    assert.equal(failed, 0, name);
  }
}

/** By name, the targets of the ratios to the bare echo: of calls/s, of both processor times, and of the p99 at the same offered load. */
type TargetsPrinted = Record<string, { ratios: number[]; p99?: number }>;

/** Every target stands beside its ratio (median, lowest, highest) and says whether it is reached. */
function checkTargets(output: string, targets: TargetsPrinted): void {
  const ratios = readTable(output, /^ +calls\/s +main thread µs +all threads µs$/);
  assert.deepEqual(namesOf(ratios), Object.keys(targets));
  for (const { name, numbers, verdicts } of ratios) {
    const wanted = targets[name]!.ratios;
    assertAllPositive([{ name, numbers }], 9 + wanted.length);
    assert.deepEqual(numbers.filter((_, column) => column % 4 === 3 && column < 4 * wanted.length), wanted, name);
    assert.equal(verdicts.length, wanted.length, name);
  }
  const paced = readTable(output, /offered calls\/s/);
  assert.deepEqual(namesOf(paced), Object.keys(targets).filter((name) => targets[name]!.p99 !== undefined));
  for (const { name, numbers, verdicts } of paced) {
    // Offered, p50, p99, the same of bare and of the flushing echo, failed, ratio, lowest, highest, target, ratio to the flushing echo, lowest, highest.
    assertNumbers([{ name, numbers }], 15, [0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 12, 13, 14]);
    assert.deepEqual([numbers[7], numbers[11], verdicts.length], [0, targets[name]!.p99, 1], name);
  }
}

function checkDecisions(output: string): void {
  const tables = output.split(/^(?=Decision alone)/m).slice(1);
  assert.equal(tables.length, 6);
  for (const table of tables) {
    const rows = readTable(table, /^ campaigns/);
    assert.deepEqual(rows.map(({ numbers }) => numbers[0]), [100, 1_000, 10_000]);
    for (const [index, row] of rows.entries()) assertNumbers([row], index === 0 ? 7 : 8, [1, 2, 3, 4]);
  }
}

function checkMain(output: string): void {
  const names = ["one insert per request", "Assay", "Assay, unique Idempotency-Key"];
  const [sqlite = "", postgres = "", ads = ""] = ["Embedded SQLite", "PostgreSQL", "Ads on"].map((title) => output.slice(output.search(new RegExp(`^${title}`, "m"))));
  checkContenders(readTable(sqlite, /calls\/s/), ["bare Fastify echo", ...names], false);
  checkTargets(sqlite, { [names[0]!]: { ratios: [] }, [names[1]!]: { ratios: [0.75, 1.1, 1.7], p99: 1.5 }, [names[2]!]: { ratios: [0.6, 1.25, 2.1], p99: 1.5 } });
  checkContenders(readTable(postgres, /calls\/s/), ["bare Fastify echo", ...names], true);
  checkTargets(postgres, { [names[0]!]: { ratios: [] }, [names[1]!]: { ratios: [0.48], p99: 1.5 }, [names[2]!]: { ratios: [], p99: 1.5 } });
  checkContenders(readTable(ads, /calls\/s/), ["bare Fastify echo", "Assay, ads/request"], false);
  checkTargets(ads, { "Assay, ads/request": { ratios: [0.45, 1.5, 2.3], p99: 1.5 } });
  checkDecisions(output);
}

/** Of each measure the figure, and the ratio with its lowest and highest; then database and failed. */
function checkAgainst(output: string): void {
  for (const title of ["predict", "predict, unique Idempotency-Key"]) {
    const [table = "", verdict] = output.slice(output.indexOf(`\nEmbedded SQLite, ${title}\n`)).split(/^verdict: (.*)$/m);
    const rows = readTable(`${table}\n`, /calls\/s/);
    assert.deepEqual(namesOf(rows), ["old", "new", "old again"]);
    assertNumbers(rows, 14, [0, 1, 4, 5, 8, 9]);
    assert.ok(rows.every(({ numbers }) => numbers.at(-1) === 0));
    assert.deepEqual([1, 5, 9].map((column) => rows[0]!.numbers[column]), [1, 1, 1]);
    assert.match(verdict ?? "", /^no slower$|^SLOWER by /);
  }
  assert.match(output, new RegExp(`^(No slower|Slower) than ${git("rev-parse", "HEAD").slice(0, 12)}`, "m"));
  assert.match(output, /trust them more than calls\/s/);
}

function checkCost(output: string): void {
  const rows = readTable(output.replace(/^one account alone/m, "\n$&"), /node µs/);
  assert.deepEqual(namesOf(rows), ["call", "call, Idempotency-Key", "ad request"]);
  // Redis is counted in hundredths of a second, which a short run may not reach.
  assertNumbers(rows, 7, [0, 2, 5]);
  assert.ok(rows.every(({ numbers }) => numbers[1] === 0));
  assert.match(output, /^one account alone: [1-9]\d* calls\/s$/m);
  assert.match(output, /^memory of the node: [1-9]\d* MiB/m);
}

function checkLedger(output: string): void {
  assert.match(output, /^60 entries of 2 accounts written/m);
  assert.match(output, /^round 1: empty [1-9]\d* calls\/s, large [1-9]\d* calls\/s, ratio \d+\.\d\d$/m);
  assert.match(output, /^throughput with 60 entries ÷ empty: \d+\.\d\d/m);
  const verified = Number(/^ledger verify: (\d+) entries, ok true, exit 0/m.exec(output)?.[1]);
  assert.ok(verified > 60, output);
}

function checkScores(output: string): void {
  assert.match(output, /^model {13}additive-\d+-[0-9a-f]{8}$/m);
  assertAllPositive(readTable(output, /^model/).filter(({ name }) => name === "explain"), 1);
  assert.match(output, /^score {13}\d+\.\d\d µs median of 1 rounds, \d+\.\d\d µs at the 95th percentile/m);
  assert.match(output, /^heap per score {4}\d+ bytes/m);
}

/** Three days: loops are found, nothing is payable yet, and nobody honest is held. */
function checkForge(output: string): void {
  const cellsOf = (name: string) => {
    const line = output.split("\n").find((each) => each.startsWith(`| ${name} |`));
    return line?.split("|").slice(2, -1).map((cell) => cell.trim());
  };
  assert.deepEqual(cellsOf("constant body"), ["1000", "102", "0", "0", "0", "3 (exact_duplicates)"]);
  assert.deepEqual(cellsOf("constant body of zeros"), ["1000", "102", "0", "0", "0", "3 (exact_duplicates)"]);
  assert.deepEqual(cellsOf("loop with 3 % jitter"), ["1000", "102", "0", "0", "0", "3 (near_duplicates)"]);
  assert.deepEqual(cellsOf("another constant body every hour"), ["1000", "102", "0", "0", "0", "3 (exact_duplicates)"]);
  assert.deepEqual(cellsOf("published quantiles, latent factor"), ["1000", "102", "0", "0", "0", "not found"]);
  assert.match(output, /^4 honest accounts worked in the same store: 0 were held\. In all 4 the evidence in the store is what the pure rules say\.$/m);
  for (const kind of ["kiosk with an idle time-out", "batch sender, sorted", "three endpoints per session"]) assert.deepEqual(cellsOf(kind)?.slice(0, 2), ["1", "0"], kind);
  assert.match(output, /^- Ever held wrongly: 0 of 23 \(0\.00 %\)\.$/m);
}

/** What must hold however slow the machine is: nobody gets anything without waiting, and one session gives one call. */
function checkAttested(output: string): void {
  const rows = output.split("\n").filter((line) => /^\| (?!attacker)[a-z]/.test(line)).map((line) => line.split("|").slice(1, -1).map((cell) => cell.trim()));
  const outcomeOf = (name: RegExp) => rows.filter(([attacker]) => name.test(attacker!)).map(([, , tried, accepted, forbidden]) => [tried, accepted, forbidden]);
  // A machine that stalls for as long as the rule asks for makes them honest, so what was accepted is not compared.
  assert.deepEqual(outcomeOf(/^no wait|^clock liar: .* at once/).map(([tried, , forbidden]) => [tried, forbidden]), [["100", "0"], ["100", "0"], ["100", "0"]]);
  assert.deepEqual(outcomeOf(/^clock liar: waits once/), [["100", "100", "0"]]);
  assert.deepEqual(outcomeOf(/^fork/), Array.from({ length: whyServersAreSkipped ? 1 : 2 }, () => ["40", "1", "0"]));
  assert.deepEqual(outcomeOf(/^replayer/), [["240", "0", "0"]]);
  assert.deepEqual(outcomeOf(/^event loop|^relay/), Array.from({ length: 6 }, () => ["5", "5", "0"]));
  assert.match(output, /^Skipped: browser farm, 1 network \(--tabs 0\)\.$/m);
  assert.match(output, /^Nothing was accepted beyond the rules\.$/m);
}

function checkBeats(output: string): void {
  assert.match(output, /^200 live sessions in 10 networks, 4 keep-alive connections, \d+ s in steady state$/m);
  assert.match(output, /^beats +[1-9]\d*, [1-9]\d* a second, 0 failed$/m);
  assert.match(output, /^processor time, beating +\d+\.\d % of a core \(.*\); target ≤ 25\.0 %: (?:reached|missed)$/m);
  const memory = readTable(output, /^MiB after a collection/);
  assert.deepEqual(namesOf(memory), ["beginning", "middle", "end"]);
  assertAllPositive(memory, 3);
  const compared = readTable(`${output}\n`, /main thread µs/);
  assert.deepEqual(namesOf(compared), ["bare Fastify echo", "Assay", "Assay ÷ bare, same round"]);
  assertAllPositive(compared.slice(0, 2), 3);
  assertAllPositive(compared.slice(2), 9);
}

function checkFlood(output: string): void {
  for (const title of [/^one network, 4 connections, as fast as they can$/m, /^20 networks, 50 beats a second together$/m]) {
    const part = output.slice(output.search(title));
    const rows = readTable(part, /p50 ms +p99 ms/);
    assert.deepEqual(namesOf(rows), ["no flood", "the flood goes to a bare server", "the flood goes to this node"]);
    // p50, p99, accepted, refused, share of a core.
    assertNumbers(rows.slice(1), 5, [0, 1, 2]);
    assert.deepEqual(rows.map(({ numbers }) => numbers.length), [5, 5, 5]);
    assert.match(part, /^p99, flood here ÷ flood at the bare server +\d+\.\d\d \(\d+\.\d\d–\d+\.\d\d\); target ≤ 1\.20: (?:reached|missed)$/m);
  }
}

function checkWorkers(output: string): void {
  const rows = readTable(output, /service µs/);
  assert.deepEqual(namesOf(rows).toSorted(), ["WORKERS=2", "one process"]);
  // Calls per second, failed, per batch, service, database, Redis.
  assert.ok(rows.every(({ numbers }) => numbers.at(-5) === 0));
  for (const { name, numbers } of rows) assertNumbers([{ name, numbers: numbers.slice(-6) }], 6, [0, 2, 3, 4]);
  assert.match(output, /^CPU of the service per call +\d+\.\d\d \(.+\), at most 1\.1: (?:reached|missed)$/m);
}

type Run = { title?: string; words: string[]; skip?: string | false; check: (output: string) => void; exits?: number[]; environment?: Record<string, string> };

const tinyRounds = ["--rounds", "1", "--seconds", "0.1", "--connections", "4"];

const runs: Record<string, Run[]> = {
  "main.ts": [
    { words: [...tinyRounds, "--decisions", "10"], skip: whyServersAreSkipped, check: checkMain },
    {
      title: "against a commit",
      words: [...tinyRounds, "--only", "sqlite", "--against", "HEAD"],
      skip: whyGitIsSkipped,
      check: checkAgainst,
      // A tenth of a second may well look slower.
      exits: [0, 1],
      environment: { GIT_DIR: gitDir },
    },
  ],
  "beat-flood.ts": [
    { words: ["--rounds", "1", "--seconds", "0.2", "--calls", "20", "--connections", "4", "--networks", "20", "--beats", "50"], check: checkFlood },
  ],
  "beats.ts": [
    { words: ["--sessions", "200", "--networks", "10", "--connections", "4", "--seconds", "4", "--start-seconds", "0.5", "--rounds", "1"], check: checkBeats },
  ],
  "capacity.ts": [{ words: [], check: (output) => assertNumbers(readTable(output, /^$/).filter(({ name }) => name.startsWith("calls a second")), 2, [0, 1]) }],
  "commit-calls.ts": [
    {
      words: ["--calls", "40", "--callers", "4", "--rounds", "1", "--accounts", "2"],
      check(output) {
        const rows = readTable(`${output}\n`, /main µs/);
        assert.deepEqual(namesOf(rows), ["call", "call, unique Idempotency-Key", "offer"]);
        assertAllPositive(rows, 2);
      },
    },
  ],
  "cost-per-call.ts": [{ words: ["--seconds", "0.1", "--accounts", "2"], skip: whyServersAreSkipped, check: checkCost }],
  "dashboard-queries.ts": [
    {
      words: ["--entries", "500", "--runs", "1"],
      check(output) {
        const rows = readTable(output, /median ms/);
        assert.ok(rows.length >= 17);
        for (const { name, numbers } of rows) assertNumbers([{ name, numbers: numbers.slice(-3) }], 3, []);
      },
    },
  ],
  "decide-ad.ts": [{ words: ["--decisions", "10"], check: checkDecisions }],
  "forge.ts": [
    { words: ["--days", "3", "--accounts", "23", "--attackers", "5", "--sample", "4", "--threads", "1"], check: checkForge },
    { title: "against attested sessions", words: ["--attested", "--seconds", "2", "--copies", "40", "--tabs", "0"], check: checkAttested },
  ],
  "key-timing.ts": [
    {
      words: ["--guesses", "20"],
      check(output) {
        const rows = readTable(`${output}\n`, /^shared characters/);
        assert.deepEqual(rows.map(({ numbers }) => numbers[0]), [0, 1, 8, 16, 24, 28]);
        assertNumbers(rows, 7, [1, 2, 4, 5]);
      },
    },
  ],
  "large-ledger.ts": [
    {
      words: ["--entries", "60", "--accounts", "2", "--rounds", "1", "--seconds", "0.1", "--store", "postgres"],
      skip: whyServersAreSkipped,
      check: checkLedger,
    },
  ],
  "log.ts": [
    {
      words: ["--entries", "600", "--accounts", "2", "--proofs", "5"],
      check(output) {
        assert.match(output, /^600 entries of 2 accounts logged$/m);
        assert.match(output, /^processor s per million entries +\d+\.\d +target ≤ 60: (?:reached|missed)$/m);
        assert.match(output, /^processor ms per proof +\d+\.\d\d +target ≤ 5: (?:reached|missed)$/m);
        assert.match(output, /^longest proof, bytes +[1-9]\d\d +target ≤ 1500: reached$/m);
      },
    },
  ],
  "memory.ts": [
    {
      words: ["--calls", "1", "--seconds", "0.1"],
      check(output) {
        const rows = readTable(output.replace(/^after /m, "\n$&"), /resident +heap +heap used/);
        // The fourth step is named by its number of calls.
        assert.deepEqual(namesOf(rows), ["started", "developer signed in", "operator signed in", "", "pages read again"]);
        // Resident, heap, used of it, external, failed.
        for (const { name, numbers } of rows) assertNumbers([{ name, numbers: numbers.slice(-5) }], 5, [0, 1, 2]);
        assert.ok(rows.every(({ numbers }) => numbers.at(-1) === 0));
        assert.match(output, /^after [1-9]\d* calls [1-9]\d* MiB; target ≤ 240 MiB after 1000000: (?:reached|missed)$/m);
      },
    },
  ],
  "nursery.ts": [
    {
      words: [...tinyRounds, "--", "--max-semi-space-size=8"],
      check(output) {
        for (const title of ["predict ", "predict, unique"]) {
          const rows = readTable(`${output.slice(output.indexOf(`\n${title}`))}\n`, /main thread µs/);
          assert.deepEqual(namesOf(rows), [readNodeOptions().join(" "), "--max-semi-space-size=8"]);
          // Main thread and its ratio, all threads and their ratio, calls, failed, memory.
          assertNumbers(rows, 7, [0, 1, 2, 3, 4, 6]);
          assert.deepEqual(rows.map(({ numbers }) => numbers[5]), [0, 0]);
        }
      },
    },
  ],
  "start-up.ts": [
    {
      words: ["--starts", "1"],
      check(output) {
        const rows = readTable(`${output}\n`, /^ready after/);
        assert.deepEqual(namesOf(rows), ["first start", "later start"]);
        // Seconds, lowest, highest, processor seconds, memory, target.
        assertAllPositive(rows, 6);
      },
    },
  ],
  "score-evaluator.ts": [{ words: ["--rounds", "1"], check: checkScores }],
  "workers.ts": [{ words: ["--rounds", "1", "--seconds", "1", "--accounts", "2", "--connections", "4"], skip: whyServersAreSkipped, check: checkWorkers }],
  "watch-sessions.ts": [{ words: ["2", "60"], check: (output) => assert.match(output, /^accounts 2, sessions 120, passes 4, findings 0\nprocessor time [\d.]+ s/) }],
};

/** A signal that ends the test also ends the benchmark. */
async function runBenchmark(file: string, { words, environment = {} }: Run, signal: AbortSignal): Promise<{ code: number | null; output: string; errors: string }> {
  const child = spawn(process.execPath, [join(root, "bench", file), ...words], { cwd: folder, env: { ...process.env, ...environment }, signal });
  child.on("error", () => undefined);
  let [output, errors] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  const { promise, resolve } = Promise.withResolvers<number | null>();
  child.once("close", resolve);
  return { code: await promise, output, errors };
}

describe("benchmarks", { concurrency: runsAtOnce }, () => {
  before(() => {
    if (whyGitIsSkipped) return;
    // A repository of its own: the tests also run where the project's is missing, and never touch it.
    git("init", "--quiet");
    git("add", "--all");
    git("-c", "user.name=Bench", "-c", "user.email=bench@localhost", "commit", "--quiet", "--message", "This tree");
  });

  it("are all covered: a file is run below, or another benchmark uses it", () => {
    const files = readdirSync(join(root, "bench")).filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));
    const texts = new Map(files.map((name) => [name, readFileSync(join(root, "bench", name), "utf8")]));
    const isCommand = (name: string): boolean => texts.get(name)!.startsWith(`// node bench/${name}`);
    const isUsed = (name: string): boolean => [...texts].some(([other, text]) => other !== name && (text.includes(`from "./${name}"`) || text.includes(`["bench/${name}"`)));
    const commands = files.filter((name) => isCommand(name) || !isUsed(name));
    assert.deepEqual(Object.keys(runs).toSorted(), [...new Set([...commands, "main.ts"])].toSorted());
  });

  for (const [file, listed] of Object.entries(runs)) {
    for (const run of listed) {
      const does = run.title ? `runs ${run.title}` : "runs";
      it(`${file} ${does}, and prints what it promises`, { skip: run.skip ?? false }, async ({ signal }) => {
        const { code, output, errors } = await runBenchmark(file, run, signal);
        assert.ok((run.exits ?? [0]).includes(code!), `exited with ${code}\n${output}\n${errors}`);
        run.check(output);
        assert.doesNotMatch(output, /NaN|Infinity|undefined/);
      });
    }
  }

  it("main.ts explains its options, and refuses an unknown part", async ({ signal }) => {
    const { code, output } = await runBenchmark("main.ts", { words: ["--help"], check: () => undefined }, signal);
    assert.equal(code, 0);
    for (const option of ["--against COMMIT", "--only PART", "--rounds N", "--seconds N"]) assert.ok(output.includes(option), option);
    assert.equal((await runBenchmark("main.ts", { words: ["--only", "mysql"], check: () => undefined }, signal)).code, 2);
  });

  it("a checked-out commit has its own files and its own packages, and the packages of others from here", { skip: whyGitIsSkipped }, () => {
    const checkOutFolder = join(folder, "check-out");
    mkdirSync(checkOutFolder);
    process.env.GIT_DIR = gitDir;
    const { tree, revision } = checkOut("HEAD", checkOutFolder);
    delete process.env.GIT_DIR;
    assert.equal(revision, git("rev-parse", "HEAD"));
    assert.equal(readFileSync(join(tree, "package.json"), "utf8"), readFileSync(join(root, "package.json"), "utf8"));
    assert.equal(realpathSync(join(tree, "node_modules/@assay/scoring")), realpathSync(join(tree, "packages/scoring")));
    assert.equal(realpathSync(join(tree, "node_modules/fastify")), realpathSync(join(root, "node_modules/fastify")));
  });
});
