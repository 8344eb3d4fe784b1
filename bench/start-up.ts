// node bench/start-up.ts [--starts N]: seconds from starting the service on SQLite until it says that it is ready: in an empty
// folder, where it makes its store, and in one that it has used before. Its compiled code is cached, as after the first `npm start`.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { readThreadTimes } from "./cpu-time.ts";
import { median } from "./median.ts";
import { fillCompileCache, root, startChild } from "./start-child.ts";

const { values } = parseArgs({ options: { starts: { type: "string", default: "5" } } });
const starts = Number(values.starts);
const readySecondsMax = 3;

const folder = mkdtempSync(join(tmpdir(), "assay-start-up-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
await fillCompileCache([root], folder, starts);

type Start = { seconds: number; processorSeconds: number; residentMiB: number };

async function start(dataDir: string): Promise<Start> {
  const startedMs = performance.now();
  const service = await startChild(["apps/api/src/main.ts"], { DATA_DIR: dataDir, PORT: "0" });
  const seconds = (performance.now() - startedMs) / 1_000;
  const processorSeconds = readThreadTimes(service.pid).allUs / 1_000_000;
  const residentMiB = service.residentMiB();
  await service.stop();
  return { seconds, processorSeconds, residentMiB };
}

const rows: Record<string, Start[]> = { "first start": [], "later start": [] };
for (let round = 0; round < starts; round += 1) {
  const dataDir = join(folder, String(round));
  for (const row of Object.values(rows)) row.push(await start(dataDir));
}
console.log("ready after                     s   (lowest–highest)   processor s     MiB");
for (const [name, measured] of Object.entries(rows)) {
  const seconds = measured.map((each) => each.seconds);
  const middle = median(seconds);
  const range = `(${Math.min(...seconds).toFixed(2)}–${Math.max(...seconds).toFixed(2)})`;
  const processorSeconds = median(measured.map((each) => each.processorSeconds)).toFixed(2);
  const residentMiB = median(measured.map((each) => each.residentMiB)).toFixed(0);
  const verdict = `< ${readySecondsMax} s ${middle < readySecondsMax ? "reached" : "missed"}`;
  console.log(`${name.padEnd(24)}${middle.toFixed(2).padStart(9)}${range.padStart(19)}${processorSeconds.padStart(14)}${residentMiB.padStart(8)}   ${verdict}`);
}
