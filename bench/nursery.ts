// node bench/nursery.ts [--rounds N --seconds N --connections N] [-- "--max-semi-space-size=8" …]: what a call takes, and how much
// memory the service holds after it, with other options of V8 than those of `npm start`. One service on SQLite per set of options;
// all are measured in each round, in turns.
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Contender, measureRounds, type RoundSettings } from "./measure-rounds.ts";
import { ratioOf } from "./judge.ts";
import { median } from "./median.ts";
import { prepareAccount } from "./prepare-account.ts";
import { fillCompileCache, readNodeOptions, root, splitOptions, startChild } from "./start-child.ts";

const { values, positionals } = parseArgs({
  options: { rounds: { type: "string", default: "5" }, seconds: { type: "string", default: "4" }, connections: { type: "string", default: "64" } },
  allowPositionals: true,
});
const settings: RoundSettings = { rounds: Number(values.rounds), seconds: Number(values.seconds), connections: Number(values.connections) };
const sizesMiB = [4, 8, 16, 32];
const startOptions = readNodeOptions().join(" ");
const others = positionals.length > 0 ? positionals : sizesMiB.map((size) => startOptions.replace(/--max-semi-space-size=\d+/, `--max-semi-space-size=${size}`));
const sets = [startOptions, ...others.filter((options) => options !== startOptions)];

const folder = mkdtempSync(join(tmpdir(), "assay-nursery-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }));
await fillCompileCache([root], folder, settings.rounds);
const contenders: Contender[] = [];
for (const [index, options] of sets.entries()) {
  const dataDir = join(folder, String(index));
  mkdirSync(dataDir);
  const apiKey = await prepareAccount({ databaseUrl: undefined, dataDir });
  const child = await startChild(["apps/api/src/main.ts"], { DATA_DIR: dataDir, PORT: "0" }, splitOptions(options));
  contenders.push({ name: options, child, apiKey, uniqueKeys: false });
}
for (const uniqueKeys of [false, true]) {
  const title = uniqueKeys ? "predict, unique Idempotency-Key" : "predict";
  const samples = await measureRounds(title, contenders.map((contender) => ({ ...contender, uniqueKeys })), settings);
  console.log(`\n${title} (${settings.rounds} rounds of ${settings.seconds} s, medians; µs: processor time per call; ÷: by the first row's of the same round)`);
  console.log(`${" ".repeat(58)} main thread µs    ÷   all threads µs    ÷   calls of all rounds   failed   RSS MiB`);
  for (const [index, { name, child }] of contenders.entries()) {
    const some = samples[index]!;
    const cells = (["mainUs", "allUs"] as const).map(
      (key) => `${median(some.map((sample) => sample[key])).toFixed(0).padStart(13)} ${ratioOf(key, some, samples[0]!).middle.toFixed(2).padStart(6)}`,
    );
    const sum = (key: "calls" | "errors") => String(some.reduce((total, sample) => total + sample[key], 0));
    console.log(`${name.padEnd(56)} ${cells.join(" ")} ${sum("calls").padStart(20)} ${sum("errors").padStart(8)} ${child.residentMiB().toFixed(0).padStart(9)}`);
  }
}
for (const { child } of contenders) await child.stop();
