// node bench/capacity.ts [--calls-per-day N --peak N --busy SHARE --ads SHARE --keys SHARE --retention-days N --replicas N
// --cores N --failovers-per-year N --failover FILE]
// Capacity plan for that many calls per day, computed from bench/measured.json (node bench/cost-per-call.ts --save,
// node bench/workers.ts --save). --failover FILE first adds what a fault suite measured: the lines of FILE that are JSON objects
// of the form {"failover":{"fault":"…","times":N,"medianSeconds":N,"longestSeconds":N}}; other lines are ignored.
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type { Cost } from "./measured.ts";
import { parseFailovers, readMeasured, saveMeasured } from "./save-measured.ts";

const { values } = parseArgs({
  options: {
    "calls-per-day": { type: "string", default: "1000000000" },
    /** Ratio of peak to mean calls per second. */
    peak: { type: "string", default: "3" },
    /** Maximum utilization of a core at the peak, so that the loss of a machine does not overload the others. */
    busy: { type: "string", default: "0.5" },
    /** Ad requests per call, and the share of calls with an Idempotency-Key. */
    ads: { type: "string", default: "0.5" },
    keys: { type: "string", default: "1" },
    "retention-days": { type: "string", default: "90" },
    /** Replicas of every shard, in addition to the primary. */
    replicas: { type: "string", default: "2" },
    "cores-per-shard": { type: "string", default: "16" },
    "log-mib-per-shard": { type: "string", default: "100" },
    "tib-per-shard": { type: "string", default: "8" },
    /** Of a machine for API nodes: one worker per core. */
    cores: { type: "string", default: "8" },
    /** Per shard: how often its primary is replaced by another machine, planned or not. */
    "failovers-per-year": { type: "string", default: "12" },
    failover: { type: "string" },
  },
});
const number = (name: keyof typeof values) => Number(values[name]);
if (values.failover !== undefined) saveMeasured({ failover: parseFailovers(readFileSync(values.failover, "utf8")) });
const measured = readMeasured();

const secondsPerDay = 86_400;
const mib = 1024 * 1024;
const tib = mib * mib;

/** Cost of one call, including its share of idempotency keys and ad requests. */
function mix(part: keyof Cost): number {
  const { call, callWithKey, adRequest } = measured;
  return call[part] * (1 - number("keys")) + callWithKey[part] * number("keys") + adRequest[part] * number("ads");
}

const meanPerSecond = number("calls-per-day") / secondsPerDay;
const peakPerSecond = meanPerSecond * number("peak");
const coresFor = (microseconds: number) => (peakPerSecond * microseconds) / 1e6 / number("busy");

/** A machine has a worker per core, each of which may cost more per call than a process alone. */
const { workers } = measured;
const nodeCores = coresFor(mix("nodeMicroseconds") * Math.max(1, workers?.cpuRatio ?? 1));
const databaseCores = coresFor(mix("databaseMicroseconds") * Math.max(1, workers?.databaseCpuRatio ?? 1));
const redisCores = coresFor(mix("redisMicroseconds"));
const logMibPerSecond = (peakPerSecond * mix("logBytes")) / mib;
const diskTibPerDay = (number("calls-per-day") * mix("diskBytes")) / tib;
/** Number of shards that each resource would need. */
const shardsFor = {
  processor: databaseCores / number("cores-per-shard"),
  "write-ahead log": logMibPerSecond / number("log-mib-per-shard"),
  disk: (diskTibPerDay * number("retention-days")) / number("tib-per-shard"),
};
const [boundBy, wanted] = Object.entries(shardsFor).toSorted(([, one], [, other]) => other - one)[0]!;
const shards = Math.ceil(wanted);
/** A worker's event loop uses one core; the thread pool and the garbage collector need a little more. */
const processes = Math.ceil(nodeCores);
const machines = Math.ceil(processes / number("cores"));

const line = (name: string, value: string) => console.log(`${name.padEnd(48)}${value}`);
console.log(`Measured on ${measured.machine}; ${values["calls-per-day"]} calls a day, ${values.ads} ad requests and ${values.keys} idempotency keys a call\n`);
line("calls a second, mean and peak", `${meanPerSecond.toFixed(0)}, ${peakPerSecond.toFixed(0)}`);
line("processor time a call: node, database, Redis", `${mix("nodeMicroseconds").toFixed(0)}, ${mix("databaseMicroseconds").toFixed(0)}, ${mix("redisMicroseconds").toFixed(0)} µs`);
line("API processes (one core each)", `${processes} on ${machines} machines with ${values.cores} cores (WORKERS=${Math.ceil(processes / machines)})`);
if (workers) line(`WORKERS=${workers.count} against one process`, `${workers.throughputRatio} × the calls, ${workers.cpuRatio} × the CPU per call, ${workers.databaseCpuRatio} × PostgreSQL's`);
line("memory of all API processes", `${((processes * measured.nodeResidentMiB) / 1024).toFixed(0)} GiB`);
line("database cores at the peak, first copies", databaseCores.toFixed(0));
line("write-ahead log at the peak", `${logMibPerSecond.toFixed(0)} MiB/s`);
line("shards by account", `${shards} (bound by the ${boundBy}), ${shards * (1 + number("replicas"))} machines with copies`);
line("Redis cores at the peak", `${redisCores.toFixed(1)}, so ${Math.ceil(redisCores)} primaries`);
line("disk, first copies", `${diskTibPerDay.toFixed(2)} TiB a day, ${(diskTibPerDay * number("retention-days")).toFixed(0)} TiB in ${values["retention-days"]} days`);
line("log to object storage", `${((number("calls-per-day") * mix("logBytes")) / tib).toFixed(2)} TiB a day before compression`);
line("largest share of one account", `${((measured.hotAccountPerSecond / peakPerSecond) * 100).toFixed(0)} % of the peak (its chain is written in order)`);

const secondsPerYear = 365 * secondsPerDay;
const shown = new Intl.NumberFormat("en", { maximumSignificantDigits: 2 });
for (const { fault, times, medianSeconds, longestSeconds } of measured.failover ?? []) {
  const share = (medianSeconds * number("failovers-per-year")) / secondsPerYear;
  line(`without service: ${fault}`, `${medianSeconds} s, at most ${longestSeconds} s (${times} times)`);
  // A failover concerns the calls of one shard.
  line("  calls that one costs, at the mean and the peak", `${shown.format((meanPerSecond * medianSeconds) / shards)}, ${shown.format((peakPerSecond * medianSeconds) / shards)}`);
  line(`  share of all calls at ${values["failovers-per-year"]} a year and shard`, `${shown.format(share * 1e6)} in a million, to be repeated by their callers`);
}
