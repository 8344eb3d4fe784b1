import type { Mutant } from "./mutant.ts";

export const benchMutants: readonly Mutant[] = [
  {
    name: "latency at a fixed rate counts from when a call was sent",
    file: "bench/measure-load.ts",
    from: "        dueMs = givenMs;\n",
    to: "        dueMs = Math.max(givenMs, performance.now());\n",
    killedBy: ["bench/measure-load.test.ts", "counts latency from when a call was due, so that a stall shows in all calls that it delays"],
  },
  {
    name: "calls at a fixed rate are sent before they are due",
    file: "bench/measure-load.ts",
    from: "      if (dueMs > nowMs) return;\n",
    to: "",
    killedBy: ["bench/measure-load.test.ts", "sends no call before it is due"],
  },
  {
    name: "refused calls count as answered at a fixed rate",
    file: "bench/measure-load.ts",
    from: "if (status === 200) latenciesMs.push(performance.now() - dueMs);",
    to: "if (status === 200 || answered >= 0) latenciesMs.push(performance.now() - dueMs);",
    killedBy: ["bench/measure-load.test.ts", "counts answers other than 200 as errors and not as latencies"],
  },
  {
    name: "a closed connection is not noticed at a fixed rate",
    file: "bench/measure-load.ts",
    from: "          if (!isExpected) isOver.reject(error);\n",
    to: "          if (!isExpected) isOver.resolve();\n",
    killedBy: ["bench/measure-load.test.ts", "fails when the server closes a connection"],
  },
  {
    name: "a target is for the best round",
    file: "bench/judge.ts",
    from: '"atLeast" in target ? middle >= target.atLeast : middle <= target.atMost',
    to: '"atLeast" in target ? middle * 2 >= target.atLeast : middle / 2 <= target.atMost',
    killedBy: ["bench/judge.test.ts", "is for the median, whatever the lowest and the highest round"],
  },
  {
    name: "a figure that is not a number reaches its target",
    file: "bench/judge.ts",
    from: '"atLeast" in target ? middle >= target.atLeast : middle <= target.atMost',
    to: '"atLeast" in target ? !(middle < target.atLeast) : !(middle > target.atMost)',
    killedBy: ["bench/judge.test.ts", "is missed by what is not a number"],
  },
  {
    name: "the unit starts the service with other options than npm start",
    file: "deploy/assay@.service",
    from: "ExecStart=/usr/bin/node --max-semi-space-size=",
    to: "ExecStart=/usr/bin/node --max-semi-space-size=1",
    killedBy: ["apps/api/test/deploy.test.ts", "starts the service with the options that npm start gives Node"],
  },
  {
    name: "the image starts the service with other options than npm start",
    file: "deploy/Dockerfile",
    from: 'CMD ["node", "--max-semi-space-size=',
    to: 'CMD ["node", "--max-semi-space-size=1',
    killedBy: ["apps/api/test/deploy.test.ts", "starts the service with the options that npm start gives Node"],
  },
  {
    name: "schemas of answers are compiled at the start",
    file: "apps/api/src/http/compile-on-demand.ts",
    from: "        let serialize: ReturnType<typeof compile> | undefined;\n",
    to: "        let serialize: ReturnType<typeof compile> | undefined = compile(route);\n",
    killedBy: ["apps/api/src/http/compile-on-demand.test.ts", "are compiled for the first answer that needs them, and apply to it"],
  },
];
