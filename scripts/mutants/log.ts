import type { Mutant } from "./mutant.ts";

const room = "apps/api/src/money/ledger/log";
const extendTest = `${room}/extend-log.test.ts`;
const verifyTest = `${room}/verify-log.test.ts`;
const routesTest = `${room}/log.routes.test.ts`;
const everyEntry = "has every entry of every chain once, in the order of its chain, under a signed root";
const largeLedger = "logs an existing ledger that is larger than a batch, and an end that is no batch's";
const atOnce = "stays one log when nodes extend it at once while calls are charged";
const rotation = "is signed by both keys for 30 days after a rotation, then by the new one alone, also if nothing was logged meanwhile";
const tampering = "finds whatever somebody with all rights in the database changes [threat: changed-log]";
const behind = "goes on in a new log with all entries, and says why [threat: rolled-back-store]";
const windows = "never costs a scoring call a 429, and has limits of its own [threat: verifying-starves-scoring]";

/** The log of all chains: its tree, its keys, and what is served of it. */
export const logMutants: readonly Mutant[] = [
  {
    name: "a tile is full at another width",
    file: `${room}/tree.ts`,
    from: "    if (tile.length < tileWidth) return;",
    to: "    if (tile.length <= tileWidth) return;",
    killedBy: [`${room}/tree.test.ts`, "has the root of RFC 6962 at every size to 520, however it is appended to"],
  },
  {
    name: "the children of a node are hashed in the wrong order",
    file: `${room}/tree.ts`,
    from: "    for (let at = 0; at < row.length; at += 2) above.push(hashChildren(row[at]!, row[at + 1]!));",
    to: "    for (let at = 0; at < row.length; at += 2) above.push(hashChildren(row[at + 1]!, row[at]!));",
    killedBy: [`${room}/tree.test.ts`, "has the root of RFC 6962 at every size to 520, however it is appended to"],
  },
  {
    name: "an account that is not logged to its end is skipped by the next batch",
    file: `${room}/extend-log.ts`,
    from: "    if (afterSeq + count === seq) nextAfterId = accountId;",
    to: "    nextAfterId = accountId;",
    killedBy: [extendTest, largeLedger],
  },
  {
    name: "the log goes on from a size that it no longer has",
    file: `${room}/append-log.work.ts`,
    from: 'if (open?.number !== log || (newest?.size ?? 0) !== fromSize) return "lost";',
    to: 'if (open?.number !== log) return "lost";',
    killedBy: [extendTest, atOnce],
  },
  {
    name: "the time of a checkpoint may run backwards",
    file: `${room}/append-log.work.ts`,
    from: "at: Math.max(checkpoint.at, newest?.at ?? 0)",
    to: "at: checkpoint.at",
    killedBy: [extendTest, "gives checkpoints times that never run backwards"],
  },
  {
    name: "the first entry of a run is logged as its second",
    file: `${room}/extend-log.ts`,
    from: "first_seq: afterSeq + 1, count };",
    to: "first_seq: afterSeq + 2, count };",
    killedBy: [extendTest, everyEntry],
  },
  {
    name: "an old key signs forever",
    file: `${room}/log-keys.ts`,
    from: "signsUntilMs === undefined || nowMs < signsUntilMs);",
    to: "signsUntilMs === undefined || signsUntilMs > 0);",
    killedBy: [extendTest, rotation],
  },
  {
    name: "a new key does not sign what was published before it",
    file: `${room}/extend-log.ts`,
    from: "  await signNewest(context.store, log, sign, context.nowMs());\n",
    to: "",
    killedBy: [extendTest, rotation],
  },
  {
    name: "a store that is behind what it signed goes on",
    file: `${room}/log-memory.ts`,
    from: "  if (!checkpoint) return `the database is behind the checkpoint of size ${size}`;",
    to: "  if (!checkpoint) return undefined;",
    killedBy: [verifyTest, behind],
  },
  {
    name: "verifying the log does not compare its checkpoints",
    file: `${room}/verify-log.ts`,
    from: "    if (!isSame) found(size, `the checkpoint of size ${size} is not that of the entries`);",
    to: "",
    killedBy: [verifyTest, tampering],
  },
  {
    name: "verifying the log does not compare its tiles",
    file: `${room}/verify-log.ts`,
    from: "    if (!isSame) found(n * 256 ** (level + 1), `tile ${level}/${n} is not that of the entries`);",
    to: "",
    killedBy: [verifyTest, tampering],
  },
  {
    name: "verifying counts in the windows of scoring",
    file: "apps/api/src/access/keys/verifying-windows.ts",
    from: "limitSubject: `verifying:${caller.limitSubject}`",
    to: "limitSubject: caller.limitSubject",
    killedBy: [routesTest, windows],
  },
  {
    name: "a tile may be changed in caches",
    file: `${room}/log.routes.ts`,
    from: "max-age=${yearSeconds}, immutable`",
    to: "max-age=${yearSeconds}`",
    killedBy: [routesTest, "lets tiles be cached for a year, full or partial, and checkpoints, keys and proofs never"],
  },
  {
    name: "a tile is served that no checkpoint covers",
    file: `${room}/log.routes.ts`,
    from: "    if (!newest || !hasTile(tile, newest.size)) throw nothing();",
    to: "    if (!newest) throw nothing();",
    killedBy: [routesTest, "has no tile that is not covered by a checkpoint, and no second name for one [threat: tile-guessing]"],
  },
];
