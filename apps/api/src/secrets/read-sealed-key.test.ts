import assert from "node:assert/strict";
import { it } from "node:test";
import { describeBothStores } from "../../test/both-stores.ts";
import { createMarks, readSealedKey } from "./read-sealed-key.ts";
import { createSealer } from "./sealer.ts";

const [old, next] = ["a".repeat(32), "b".repeat(32)] as const;
const nowMs = () => 1_000;

describeBothStores("a key of the installation", (open) => {
  it("is the same for nodes that first read it at the same time, and is stored sealed", async () => {
    const { store } = await open();
    const sealer = createSealer({ secretKey: old, previous: [] });
    const keys = await Promise.all([1, 2, 3, 4].map(() => readSealedKey({ store, nowMs, sealer }, "marks")));
    assert(Buffer.isBuffer(keys[0]) && keys[0].length === 32);
    for (const key of keys) assert.deepEqual(key, keys[0]);
    const { sealed } = await store.db.selectFrom("sealed_keys").select("sealed").where("name", "=", "marks").executeTakeFirstOrThrow();
    assert(!sealed.includes(keys[0].toString("base64url")));
    assert.notDeepEqual(await readSealedKey({ store, nowMs, sealer }, "another"), keys[0]);
  });

  it("gives equal marks for equal texts before and after SECRET_KEY is replaced, and a failure that names the remedy without the old one", async () => {
    const { store } = await open();
    const marksWith = (secretKey: string, previous: string[]) => createMarks({ store, nowMs, sealer: createSealer({ secretKey, previous }) });
    const mark = await marksWith(old, []).mark("bank", "DE89370400440532013000");
    assert.match(mark, /^[0-9a-f]{64}$/);
    assert.equal(await marksWith(next, [old]).mark("bank", "DE89370400440532013000"), mark);
    assert.notEqual(await marksWith(old, []).mark("tax", "DE89370400440532013000"), mark);
    assert.notEqual(await marksWith(old, []).mark("bank", "DE89370400440532013001"), mark);
    await assert.rejects(marksWith(next, []).mark("bank", "DE89370400440532013000"), { code: "secret_unreadable", message: /SECRET_KEY_PREVIOUS/ });
  });
});
