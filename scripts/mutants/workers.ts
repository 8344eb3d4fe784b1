import type { Mutant } from "./mutant.ts";

const suite = "apps/api/test/faults/workers.fault.test.ts";
const settings = "apps/api/src/config.test.ts";

export const workersMutants: readonly Mutant[] = [
  {
    name: "several workers count the limits for themselves",
    file: "apps/api/src/config.ts",
    from: "if (redisUrl === undefined) throw new ConfigError(",
    to: "if (redisUrl === null) throw new ConfigError(",
    killedBy: [settings, "WORKERS is refused where several processes would not share the store or the limits, and says why"],
  },
  {
    name: "auto starts workers on the embedded store of a machine with one core",
    file: "apps/api/src/config.ts",
    from: "  if (workers === 1) return 1;\n",
    to: '  if (workers === 1 || workers === "auto") return 1;\n',
    killedBy: [settings, "WORKERS is refused where several processes would not share the store or the limits, and says why"],
  },
  {
    name: "what all workers read from the same store is added up",
    file: "apps/api/src/operations/metrics.ts",
    from: 'const aggregator = "max";',
    to: 'const aggregator = "sum";',
    killedBy: [suite, "add up their metrics, whichever of them is asked"],
    needs: "postgres",
  },
  {
    name: "/metrics is about one worker",
    file: "apps/api/src/operations/metrics.ts",
    from: "(siblings.gatherMetrics ? AggregatorRegistry",
    to: "(siblings.gatherMetrics && !siblings.number ? AggregatorRegistry",
    killedBy: [suite, "add up their metrics, whichever of them is asked"],
    needs: "postgres",
  },
  {
    name: "what a dead worker counted is forgotten",
    file: "apps/api/src/start/gather-metrics.ts",
    from: "past = [...past, countersOf(last)];",
    to: "past = [...past];",
    killedBy: [suite, "killed -9 one after the other under load: each takes only its own connections with it, and comes back by itself"],
    needs: "postgres",
  },
  {
    name: "workers outlive their supervisor",
    file: "apps/api/src/start/work.ts",
    from: "if (service) exitWhen(service.stop());",
    to: "if (service) return;",
    killedBy: [suite, "whose supervisor is killed -9 drain by themselves"],
    needs: "postgres",
  },
  {
    name: "workers are ended at once, with their calls, when the service stops",
    file: "apps/api/src/start/supervise-workers.ts",
    from: "if (worker && !isReady) worker.process.kill",
    to: "if (worker && isReady) worker.process.kill",
    killedBy: [suite, "stopped by SIGTERM under load: every call that arrived is answered, and no process is left"],
    needs: "postgres",
  },
  {
    name: "a worker that idles is given nothing",
    file: "apps/api/src/start/share-load.ts",
    from: "if (busiest!.load.utilization < busyFrom || difference < differenceMin) return [];",
    to: "if (busiest!.load.utilization < busyFrom || difference < 1) return [];",
    killedBy: ["apps/api/src/start/share-load.test.ts", "hands half of the difference over to one that idles"],
  },
  {
    name: "a caller that sent requests ahead loses their answers when it is handed over",
    file: "apps/api/src/app.ts",
    from: "if (!state.handOver || isPipelined(socket)) return false;",
    to: "if (!state.handOver) return false;",
    killedBy: ["apps/api/src/http/hand-over.test.ts", "leaves a caller alone that has sent more requests: their answers would be lost"],
  },
  {
    name: "two workers write one draft of what they remember of the log",
    file: "apps/api/src/money/ledger/log/log-memory.ts",
    from: "const draft = worker === undefined ? `${path}.new` : `${path}.new-${worker}`;",
    to: "const draft = worker === 0 ? `${path}.new-0` : `${path}.new`;",
    killedBy: ["apps/api/src/money/ledger/log/log-memory.test.ts", "in a file has a draft per worker: two that write at the same time would mix their texts in one"],
  },
];
