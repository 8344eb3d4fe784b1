import type { Mutant } from "./mutant.ts";

const merkle = "packages/tlog/src/merkle.ts";
const merkleTest = "packages/tlog/src/merkle.test.ts";
const noteTest = "packages/tlog/src/note.test.ts";
const checkpointTest = "packages/tlog/src/checkpoint.test.ts";
const proofTest = "packages/tlog/src/proof.test.ts";
const witnessTest = "apps/api/src/money/ledger/log/witness/serve-witness.test.ts";
const askTest = "apps/api/src/money/ledger/log/witness/ask-witnesses.test.ts";

/** Faults in the formats of the log, in its verification and in witnesses. */
export const tlogMutants: readonly Mutant[] = [
  {
    name: "an inclusion path may be longer than the tree is high",
    file: merkle,
    from: "  for (const sibling of path) {\n    if (last === 0) return false;",
    to: "  for (const sibling of path) {\n    if (last === 0) break;",
    killedBy: [merkleTest, "fail with any other path, index or leaf"],
  },
  {
    name: "an inclusion path may be shorter than the tree is high",
    file: merkle,
    from: "return last === 0 && areEqual(reached, root);",
    to: "return areEqual(reached, root);",
    killedBy: [merkleTest, "fail for the same log at another size, unless the path is the same there"],
  },
  {
    name: "a consistency proof is not compared with the older root",
    file: merkle,
    from: "return last === 0 && areEqual(older, fromRoot) && areEqual(newer, toRoot);",
    to: "return last === 0 && areEqual(newer, toRoot);",
    killedBy: [merkleTest, "fail when an entry that the older log had was changed, with any proof of the newer log"],
  },
  {
    name: "a log of the same size may have another root",
    file: merkle,
    from: "return path.length === 0 && areEqual(fromRoot, toRoot) && (fromSize > 0",
    to: "return path.length === 0 && (fromSize > 0",
    killedBy: [merkleTest, "fail with any other path or root"],
  },
  {
    name: "leaves and inner nodes are hashed alike",
    file: merkle,
    from: "const childrenPrefix = Uint8Array.of(1);",
    to: "const childrenPrefix = Uint8Array.of(0);",
    killedBy: [merkleTest, "tell a leaf from an inner node with the same bytes"],
  },
  {
    name: "base64 with stray bits is read",
    file: "packages/tlog/src/bytes.ts",
    from: "return encodeBase64(bytes) === text ? bytes : undefined;",
    to: "return bytes;",
    killedBy: [noteTest, "are refused when malformed"],
  },
  {
    name: "one right signature of a key hides a wrong one",
    file: "packages/tlog/src/note.ts",
    from: "if (!judged.every(({ ok }) => ok))",
    to: "if (!judged.some(({ ok }) => ok))",
    killedBy: [noteTest, "ignore keys that share only the name or only the id, and are wrong if one of several signatures of a key is"],
  },
  {
    name: "any trusted log may sign for any other",
    file: "packages/tlog/src/checkpoint.ts",
    from: ".filter(({ name }) => name === checkpoint.origin);",
    to: ";",
    killedBy: [checkpointTest, "refuses one that no known key of the named log has signed"],
  },
  {
    name: "a key under two names counts as two witnesses",
    file: "packages/tlog/src/checkpoint.ts",
    from: "areEqual(key.publicKey, other.key.publicKey)) === index",
    to: "key.name === other.key.name) === index",
    killedBy: [checkpointTest, "counts a key under two names as one witness"],
  },
  {
    name: "proofs of different logs are evidence",
    file: "packages/tlog/src/evidence.ts",
    from: "if (b.checkpoint.origin !== origin) return",
    to: "if (b.checkpoint.size < 0) return",
    killedBy: [proofTest, "show nothing if the entries agree, differ in place, are from different logs, or one proof is not valid"],
  },
  {
    name: "a witness signs before it remembers",
    file: "apps/api/src/money/ledger/log/witness/cosign-checkpoint.ts",
    from: `  if (!memory.remember(known, seen)) return { kind: "other_size", size: memory.lastCosigned(origin).size };
  const line = cosign(context, note.text);
`,
    to: `  const line = cosign(context, note.text);
  if (!memory.remember(known, seen)) return { kind: "other_size", size: memory.lastCosigned(origin).size };
`,
    killedBy: [witnessTest, "has remembered a checkpoint before it signs it, so that a crash in between cannot lead it to a fork [threat: forked-log]"],
  },
  {
    name: "a witness replaces whatever it knows by then",
    file: "apps/api/src/money/ledger/log/witness/witness-memory.ts",
    from: "WHERE origin = ? AND size = ? AND root = ?",
    to: "WHERE origin = ? AND size >= ? AND root <> ?",
    killedBy: [witnessTest, "cosigns one of two continuations that are asked for at once"],
  },
  {
    name: "a witness takes the old size from the request",
    file: "apps/api/src/money/ledger/log/witness/cosign-checkpoint.ts",
    from: "if (request.oldSize !== known.size) return",
    to: "if (request.oldSize > known.size) return",
    killedBy: [witnessTest, "cosigns what continues the log, and nothing else, as C2SP tlog-witness says"],
  },
  {
    name: "a cosignature is kept unverified",
    file: "apps/api/src/money/ledger/log/witness/ask-witnesses.ts",
    from: 'if (verdict !== "signed") throw',
    to: 'if (verdict === "unsigned") throw',
    killedBy: [askTest, "keeps nothing that the witness's key has not signed for this checkpoint [threat: false-witness]"],
  },
  {
    name: "an endless answer of a witness is read",
    file: "apps/api/src/money/ledger/log/witness/read-bounded.ts",
    from: "if (bytes > bytesMax) return undefined;",
    to: "",
    killedBy: [askTest, "waits for no witness that hangs, is away, or sends without end [threat: hanging-witness]"],
  },
];
