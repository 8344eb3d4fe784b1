import assert from "node:assert/strict";
import { it } from "node:test";
import { describeBothStores } from "../../test/both-stores.ts";
import { msPerDay, msPerHour, msPerMinute } from "../formats/time.ts";
import { createSealer } from "../secrets/sealer.ts";
import type { Store } from "../store/store.ts";
import { cleanUpAccounts } from "./clean-up-accounts.ts";
import { createThrottle, TooManyTries } from "./throttle.ts";

const nowMs = 1_800_000_000_000;
/** As in store/delete-in-steps.ts. */
const rowsPerStep = 2_000;

describeBothStores("what strangers make in the tables of accounts", (open) => {
  const cleanUp = (store: Store, atMs: number, isOver?: () => boolean) => cleanUpAccounts({ store, deleteMailFiles: () => Promise.resolve() }, atMs, isOver);
  const subjectsOf = async (store: Store) => (await store.db.selectFrom("throttles").select("subject").orderBy("subject").execute()).map(({ subject }) => subject);

  async function plant(store: Store, name: string, rows: { count: number; tries: number; atMs: number }): Promise<void> {
    const { count, tries, atMs } = rows;
    const all = Array.from({ length: count }, (_, index) => ({ subject: `${name}-${index}`, tries, since: atMs, blocked_until: 0, updated_at: atMs + (index % 1_000) }));
    for (let from = 0; from < all.length; from += 1_000) await store.db.insertInto("throttles").values(all.slice(from, from + 1_000)).execute();
  }

  it("is deleted once no rule looks at it, a few rows at a time; a known network is known for 30 days [threat: password-flood]", async () => {
    const { store } = await open();
    await plant(store, "old", { count: 2 * rowsPerStep + 500, tries: 1, atMs: nowMs - 3 * msPerHour });
    await plant(store, "newer", { count: 3, tries: 1, atMs: nowMs - 59 * msPerMinute });
    await plant(store, "known", { count: 3, tries: 0, atMs: nowMs - 29 * msPerDay });
    await plant(store, "forgotten", { count: 3, tries: 0, atMs: nowMs - 31 * msPerDay });
    let steps = 0;
    // Sign-ins, challenges, links and known networks are one step each; attempts have one of the three that they need.
    const { isMore } = await cleanUp(store, nowMs, () => (steps += 1) > 5);
    assert.equal(isMore, true);
    assert.equal((await subjectsOf(store)).filter((subject) => subject.startsWith("old")).length, rowsPerStep + 500);
    assert.equal((await cleanUp(store, nowMs)).isMore, false);
    assert.deepEqual(await subjectsOf(store), ["known-0", "known-1", "known-2", "newer-0", "newer-1", "newer-2"]);
  });

  it("is not deleted while it slows anybody down", async () => {
    const { store } = await open();
    const clock = { ms: nowMs };
    const throttle = createThrottle({ store, nowMs: () => clock.ms, sealer: createSealer({ secretKey: "k".repeat(32), previous: [] }) });
    const attempt = { email: "somebody@x", ip: "192.0.2.1" };
    const isRefused = (take: Promise<void>) => take.then(() => false, (error: unknown) => error instanceof TooManyTries);
    // The longest wait is fifteen minutes, the longest window an hour.
    for (let round = 0; round < 30; round += 1) await throttle.take("sign_up_network", attempt.ip);
    for (const minutes of [0, 0, 0, 0, 0, 1, 2, 4, 8, 15]) {
      clock.ms += minutes * msPerMinute;
      await throttle.takeSignIn(attempt);
    }
    clock.ms = nowMs + msPerHour - 1;
    await cleanUp(store, clock.ms);
    assert(await isRefused(throttle.take("sign_up_network", attempt.ip)));
    clock.ms = nowMs + 30 * msPerMinute + 14 * msPerMinute;
    assert(await isRefused(throttle.takeSignIn(attempt)));
    clock.ms = nowMs + 3 * msPerHour;
    await cleanUp(store, clock.ms);
    assert.deepEqual(await subjectsOf(store), []);
  });

  it("expired links, sign-ins and second steps are deleted in steps too", async () => {
    const { store } = await open();
    const { makeAccount } = await import("../../test/make-account.ts");
    const { accountId } = await makeAccount(store, { nowMs });
    const times = (index: number) => ({ created_at: nowMs - msPerDay, expires_at: index < 2_100 ? nowMs - 1 : nowMs });
    const indexes = Array.from({ length: 2_101 }, (_, index) => index);
    const inParts = async (insert: (part: number[]) => Promise<unknown>) => {
      for (let from = 0; from < indexes.length; from += 300) await insert(indexes.slice(from, from + 300));
    };
    await inParts((part) => store.db.insertInto("sign_ins").values(part.map((index) => ({ id: `sign_${index}`, token: `sha256.${index}`, account_id: accountId, ip_address: "192.0.2.1", user_agent: "", updated_at: nowMs, ...times(index) }))).execute());
    await inParts((part) => store.db.insertInto("sign_in_challenges").values(part.map((index) => ({ id: `auth_${index}`, identifier: `${index}`, value: accountId, failures: 0, remember: 1, updated_at: nowMs, ...times(index) }))).execute());
    await inParts((part) => store.db.insertInto("account_links").values(part.map((index) => ({ token_hash: `${index}`, kind: "reset" as const, account_id: accountId, email: "a@example.com", browser_hash: null, used_at: null, password_hash: null, ...times(index) }))).execute());
    const countAll = async () => Promise.all((["sign_ins", "sign_in_challenges", "account_links"] as const).map(async (table) => (await store.db.selectFrom(table).select("expires_at").execute()).length));
    let steps = 0;
    assert.equal((await cleanUp(store, nowMs, () => (steps += 1) > 1)).isMore, true);
    assert.deepEqual(await countAll(), [101, 2_101, 2_101]);
    assert.equal((await cleanUp(store, nowMs)).isMore, false);
    assert.deepEqual(await countAll(), [1, 1, 1]);
  });
});
