import type { Mutant } from "./mutant.ts";

const commitLine = "apps/api/src/store/commit-line.ts";
const commitLineTest = "apps/api/src/store/commit-line.test.ts";
const limiter = "apps/api/src/access/limits/redis-limiter.ts";
const limiterTest = "apps/api/src/access/limits/redis-limiter.test.ts";
const takeScript = "apps/api/src/access/limits/take-script.ts";
const takeScriptTest = "apps/api/src/access/limits/take-script.test.ts";
const unanswered = "gives up its connection when the server does not answer in time: every outcome on it is unknown, and the next statement gets a new one";
const manySubjects = "calls of many subjects share few script runs, and each is counted and answered by itself";
const oneRun = "does in one run what it does one by one, whatever the subjects' windows are";

export const pipelineMutants: readonly Mutant[] = [
  {
    name: "a second batch waits for the answer to the first",
    file: commitLine,
    from: "pipeline: true",
    to: "pipeline: false",
    killedBy: ["apps/api/src/money/ledger/charge-line.test.ts", "the second is committed before the answer to the first is read; cut off then, both are read back and charged once"],
    needs: "postgres",
  },
  {
    name: "a batch whose connection broke is refused without asking whether it was committed",
    file: "apps/api/src/money/ledger/charge-batch.postgres.ts",
    from: "if (isCertainRefusal(error)) throw error;",
    to: "if (isCertainRefusal(error) || commitPool.totalCount >= 0) throw error;",
    killedBy: ["apps/api/src/money/ledger/charge-line.test.ts", "the second is committed before the answer to the first is read; cut off then, both are read back and charged once"],
    needs: "postgres",
  },
  {
    name: "a statement that the server refused ends the connection that others are on",
    file: commitLine,
    from: "if (!isCertainRefusal(error)) {",
    to: "if (error !== undefined || !isCertainRefusal(error)) {",
    killedBy: [commitLineTest, "fails only the statement that failed, and keeps its connection"],
    needs: "postgres",
  },
  {
    name: "nobody is told that the outcome of a statement is unknown",
    file: commitLine,
    from: "options.onUnknownOutcome(error);",
    to: "",
    killedBy: [commitLineTest, unanswered],
    needs: "postgres",
  },
  {
    name: "a connection that could not be opened is never opened again",
    file: commitLine,
    from: "opened.catch(() => retire(opened));",
    to: "opened.catch(() => {});",
    killedBy: [commitLineTest, "throws before anything is sent while the server is down, and works again once it is up"],
    needs: "postgres",
  },
  {
    name: "an idle commit connection stays open",
    file: commitLine,
    from: "setTimeout(() => current && retire(current), options.idleMsMax)",
    to: "setTimeout(() => current && retire(current), options.idleMsMax * 1_000)",
    killedBy: [commitLineTest, "opens one connection however many ask for it, and closes it when nobody does"],
    needs: "postgres",
  },
  {
    name: "every statement opens a connection of its own",
    file: commitLine,
    from: "const opened = (current ??= open());",
    to: "const opened = (current = open());",
    killedBy: [commitLineTest, "opens one connection however many ask for it, and closes it when nobody does"],
    needs: "postgres",
  },
  {
    name: "Redis counts a subject in the windows of the one before it",
    file: takeScript,
    from: "key, moved, ring = KEYS[turn], false, nil",
    to: "key, moved, ring = KEYS[turn], false, ring",
    killedBy: [takeScriptTest, oneRun],
    needs: "redis",
  },
  {
    name: "Redis applies the first subject's quota to all",
    file: takeScript,
    from: "tonumber(ARGV[turn * 3])",
    to: "tonumber(ARGV[3])",
    killedBy: [takeScriptTest, oneRun],
    needs: "redis",
  },
  {
    name: "a subject gets the answer of the first one of its script run",
    file: limiter,
    from: "answerBatch(lane, batch, taken[index]!, distrusted);",
    to: "answerBatch(lane, batch, taken[0]!, distrusted);",
    killedBy: [limiterTest, manySubjects],
    needs: "redis",
  },
  {
    name: "one script run counts any number of subjects",
    file: limiter,
    from: "first += subjectsPerRunMax) void send(state, ofSlot.slice(first, first + subjectsPerRunMax));",
    to: "first += ofSlot.length) void send(state, ofSlot.slice(first, first + ofSlot.length + subjectsPerRunMax));",
    killedBy: [limiterTest, manySubjects],
    needs: "redis",
  },
  {
    name: "calls that came in while others were counted wait forever",
    file: limiter,
    from: "else sendSoon(lane);",
    to: "else void sendSoon;",
    killedBy: [limiterTest, "each waiting call is checked against its own quota"],
    needs: "redis",
  },
];
