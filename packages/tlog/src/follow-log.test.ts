import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { keysOfLog } from "./follow-log.ts";
import { ed25519Type, formatVerifierKey } from "./note.ts";

const keyNamed = (name: string, seed = 1) => formatVerifierKey({ name, type: ed25519Type, publicKey: new Uint8Array(32).fill(seed) });

describe("the keys of a log", () => {
  const origin = "assay.example/log";

  it("are those of its line: of its own name, of the first log's, and of any log between", async () => {
    const line = await Promise.all([keyNamed(origin, 1), keyNamed(`${origin}/2`, 2), keyNamed(`${origin}/13`, 3)]);
    for (const [at, name] of [origin, `${origin}/2`, `${origin}/13`].entries()) {
      const expected = await Promise.all([1, 2, 3].map((seed) => keyNamed(name, seed)));
      assert.deepEqual(await keysOfLog(name, line), expected, `for log ${at}`);
    }
  });

  it("are named once each", async () => {
    assert.deepEqual(await keysOfLog(`${origin}/2`, await Promise.all([keyNamed(origin), keyNamed(`${origin}/2`)])), [await keyNamed(`${origin}/2`)]);
  });

  it("are nobody else's: not of a name that only begins alike, nor of one with more than a number behind it", async () => {
    const others = ["assay.example/lo", "assay.example/log2", `${origin}s`, `${origin}//2`, `${origin}/2x`, `${origin}/1234567`, `${origin}/`, "other.example/log", "assay.example"];
    for (const other of others) {
      assert.deepEqual(await keysOfLog(origin, [await keyNamed(other)]), [], other);
      assert.deepEqual(await keysOfLog(`${origin}/2`, [await keyNamed(other)]), [], other);
    }
  });
});
