// node bench/memory.ts [--calls N --seconds N]: resident memory of the service on SQLite over that many calls.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { measureLoad } from "./measure-load.ts";
import { prepareAccount } from "./prepare-account.ts";
import { startChild } from "./start-child.ts";

const { values } = parseArgs({ options: { calls: { type: "string", default: "1000000" }, seconds: { type: "string", default: "20" } } });
const callsWanted = Number(values.calls);
const secondsPerStep = Number(values.seconds);

const dataDir = mkdtempSync(join(tmpdir(), "assay-memory-"));
process.on("exit", () => rmSync(dataDir, { recursive: true, force: true }));
const apiKey = await prepareAccount({ databaseUrl: undefined, dataDir });
const service = await startChild(["apps/api/src/main.ts"], { DATA_DIR: dataDir, PORT: "0" });
console.log(`      0 calls   ${service.residentMiB().toFixed(0)} MiB`);
let calls = 0;
while (calls < callsWanted) {
  const load = await measureLoad(service.url, { apiKey, seconds: secondsPerStep, connections: 64, uniqueKeys: false });
  if (load.calls === 0) throw new Error(`no call succeeded, ${load.errors} failed`);
  calls += load.calls;
  console.log(`${String(calls).padStart(7)} calls   ${service.residentMiB().toFixed(0)} MiB   ${load.errors} failed`);
}
await service.stop();
