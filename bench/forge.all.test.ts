// What forgers get and whom it hurts: the same guarantees at any speed of the machine.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { hasRedisServer } from "../apps/api/test/access/start-redis.ts";
import { whyPostgresIsSkipped } from "../apps/api/test/start-postgres.ts";
import { runBenchmark } from "./run-benchmark.ts";
import { root } from "./start-child.ts";

const hasServers = !whyPostgresIsSkipped() && hasRedisServer();

async function forge(signal: AbortSignal, ...words: string[]): Promise<string> {
  const { code, output, errors } = await runBenchmark("forge.ts", words, { cwd: root, signal });
  assert.equal(code, 0, `${output}\n${errors}`);
  return output;
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

/** The last day of a month settles and is due on the 15th: what one network clicks beyond ten a day, and analyses beyond 24, wait. */
function checkUnseen(output: string): void {
  assert.match(output, /^\| clicks at 14 %, one network \| 0 \| [\d,]+ \| 56 \(day 15\) \| 56 \| 56 \| not found \|$/m);
  assert.match(output, /^\| analyses in a loop \| 0 \| 870 \| 0 \| 0 \| 0 \| not found \|$/m);
  assert.match(output, /^Every promise holds\.$/m);
}

/** What must hold however slow the machine is: nobody gets anything without waiting, and one session gives one call. */
function checkAttested(output: string): void {
  const rows = output.split("\n").filter((line) => /^\| (?!attacker)[a-z]/.test(line)).map((line) => line.split("|").slice(1, -1).map((cell) => cell.trim()));
  const outcomeOf = (name: RegExp) => rows.filter(([attacker]) => name.test(attacker!)).map(([, , tried, accepted, forbidden]) => [tried, accepted, forbidden]);
  // A machine that stalls for as long as the rule asks for makes them honest, so what was accepted is not compared.
  assert.deepEqual(outcomeOf(/^no wait|^clock liar: .* at once/).map(([tried, , forbidden]) => [tried, forbidden]), [["100", "0"], ["100", "0"], ["100", "0"]]);
  assert.deepEqual(outcomeOf(/^clock liar: waits once/), [["100", "100", "0"]]);
  assert.deepEqual(outcomeOf(/^fork/), Array.from({ length: hasServers ? 2 : 1 }, () => ["40", "1", "0"]));
  assert.deepEqual(outcomeOf(/^replayer/), [["240", "0", "0"]]);
  assert.deepEqual(outcomeOf(/^event loop|^relay/), Array.from({ length: 6 }, () => ["5", "5", "0"]));
  assert.match(output, /^Skipped: browser farm, 1 network \(--tabs 0\)\.$/m);
  assert.match(output, /^Nothing was accepted beyond the rules\.$/m);
}

describe("npm run bench -- forge", () => {
  it("finds loops and repeated bodies, pays nothing for them, and holds nobody honest", async ({ signal }) => {
    checkForge(await forge(signal, "--days", "3", "--accounts", "23", "--attackers", "^constant body|^loop|every hour$|^published", "--sample", "4", "--threads", "1"));
  });

  it("settles ten clicks of one network and day, and 24 analyses", async ({ signal }) => {
    checkUnseen(await forge(signal, "--only", "attackers", "--start", "2026-01-31", "--days", "16", "--sample", "0", "--attackers", "^clicks at 14 %, one|^analyses"));
  });

  it("accepts nothing beyond the rules for attested sessions", async ({ signal }) => {
    checkAttested(await forge(signal, "--attested", "--seconds", "2", "--copies", "40", "--tabs", "0"));
  });
});
