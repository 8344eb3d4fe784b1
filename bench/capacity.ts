// node bench/capacity.ts [--calls-per-day N --peak N --busy SHARE --ads SHARE --keys SHARE --retention-days N --replicas N]
// Capacity plan for that many calls per day, computed from bench/measured.json (node bench/cost-per-call.ts --save).
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type { Cost, Measured } from "./cost-per-call.ts";

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
  },
});
const number = (name: keyof typeof values) => Number(values[name]);
const measured = JSON.parse(readFileSync(new URL("./measured.json", import.meta.url), "utf8")) as Measured;

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

const nodeCores = coresFor(mix("nodeMicroseconds"));
const databaseCores = coresFor(mix("databaseMicroseconds"));
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
/** A node's event loop uses one core; the thread pool and the garbage collector need a little more. */
const nodes = Math.ceil(nodeCores);

const line = (name: string, value: string) => console.log(`${name.padEnd(46)}${value}`);
console.log(`Measured on ${measured.machine}; ${values["calls-per-day"]} calls a day, ${values.ads} ad requests and ${values.keys} idempotency keys a call\n`);
line("calls a second, mean and peak", `${meanPerSecond.toFixed(0)}, ${peakPerSecond.toFixed(0)}`);
line("processor time a call: node, database, Redis", `${mix("nodeMicroseconds").toFixed(0)}, ${mix("databaseMicroseconds").toFixed(0)}, ${mix("redisMicroseconds").toFixed(0)} µs`);
line("API nodes (one core each)", String(nodes));
line("memory of all API nodes", `${((nodes * measured.nodeResidentMiB) / 1024).toFixed(0)} GiB`);
line("database cores at the peak, first copies", databaseCores.toFixed(0));
line("write-ahead log at the peak", `${logMibPerSecond.toFixed(0)} MiB/s`);
line("shards by account", `${shards} (bound by the ${boundBy}), ${shards * (1 + number("replicas"))} machines with copies`);
line("Redis cores at the peak", `${redisCores.toFixed(1)}, so ${Math.ceil(redisCores)} primaries`);
line("disk, first copies", `${diskTibPerDay.toFixed(2)} TiB a day, ${(diskTibPerDay * number("retention-days")).toFixed(0)} TiB in ${values["retention-days"]} days`);
line("log to object storage", `${((number("calls-per-day") * mix("logBytes")) / tib).toFixed(2)} TiB a day before compression`);
line("largest share of one account", `${((measured.hotAccountPerSecond / peakPerSecond) * 100).toFixed(0)} % of the peak (its chain is written in order)`);
