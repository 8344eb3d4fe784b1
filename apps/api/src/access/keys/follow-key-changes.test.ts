import assert from "node:assert/strict";
import { afterEach, it } from "node:test";
import { describeBothStores } from "../../../test/both-stores.ts";
import { waitUntil } from "../../../test/send.ts";
import type { Store } from "../../store/store.ts";
import type { Authenticator } from "./authenticate-key.ts";
import { followKeyChanges, type KeyChangeFollower } from "./follow-key-changes.ts";
import { announceChange } from "./keys.table.ts";

const isCurrent = "current";

describeBothStores("the feed of key changes", (open) => {
  const followers: KeyChangeFollower[] = [];
  afterEach(() => {
    for (const follower of followers.splice(0)) follower.stop();
  });

  /** What the feed tells the authenticator, in order; `isCurrent` stands for "all changes are applied". */
  async function follow(store: Store): Promise<string[]> {
    const told: string[] = [];
    const authenticator: Authenticator = {
      recall: () => undefined,
      authenticate: () => undefined,
      forget: (subject) => told.push(subject),
      changesAppliedUpTo: () => told.push(isCurrent),
    };
    // A poll may be under way when its test is over, and its store closed.
    const onError = (error: unknown) => followers.length > 0 && assert.fail(String(error));
    const context = { channel: undefined, monotonicMs: () => performance.now(), onError };
    followers.push(await followKeyChanges(store, authenticator, context));
    assert.deepEqual(told.splice(0), ["*", isCurrent], "a start knows nothing");
    return told;
  }

  const announce = (store: Store, subject: string) => store.write(announceChange(store.db, { subject, nowMs: Date.now() }));

  it("tells each change once", async () => {
    const { store } = await open();
    const told = await follow(store);
    await announce(store, "key:one");
    await announce(store, "account:two");
    await waitUntil(() => told.filter((each) => each === isCurrent).length >= 4, "four polls are over");
    assert.deepEqual(told.filter((each) => each !== isCurrent), ["key:one", "account:two"]);
  });

  it("forgets everything when changes were deleted before this node saw them", async () => {
    const { store } = await open();
    const told = await follow(store);
    const change = (subject: string) => announceChange(store.db, { subject, nowMs: Date.now() });
    await store.write([...change("key:lost"), store.db.deleteFrom("key_changes"), ...change("key:seen")]);
    await waitUntil(() => told.some((each) => each !== isCurrent), "the gap is noticed");
    assert.deepEqual(told.filter((each) => each !== isCurrent), ["*"]);
  });

  it("is current only after the last of many changes", async () => {
    const { store } = await open();
    const told = await follow(store);
    // More than one poll reads, in one write.
    const subjects = Array.from({ length: 1_500 }, (_, index) => `key:${index}`);
    await store.write(subjects.flatMap((subject) => announceChange(store.db, { subject, nowMs: 0 })));
    await waitUntil(() => told.includes("key:1499") && told.at(-1) === isCurrent, "all changes are told");
    const first = told.indexOf("key:0");
    assert.deepEqual(told.slice(first, first + subjects.length), subjects, "without a claim to be current in between");
  });
});
