import type { Store } from "../../store/store.ts";
import type { Authenticator } from "./authenticate-key.ts";
import { selectChangesAfter, selectEpoch } from "./keys.table.ts";

const pollMs = 500;
const changesPerPollMax = 1_000;

export const keyChangesChannel = "assay:key-changes";

/** The fast path between nodes. It may lose messages; the poll finds them. */
export type KeyChangeChannel = {
  publish(subject: string): void;
  subscribe(onSubject: (subject: string) => void): void;
};

export type KeyChangeFollower = { stop(): void };

/**
 * Evicts changed keys from the authenticator's cache: at once when another node announces the change, and in any case
 * within half a second by polling the store. When polls fail or are late, the feed becomes stale and the authenticator
 * checks every key against the store.
 */
export async function followKeyChanges(
  store: Store,
  authenticator: Authenticator,
  context: { channel: KeyChangeChannel | undefined; monotonicMs: () => number; onError: (error: unknown) => void },
): Promise<KeyChangeFollower> {
  const startedMs = context.monotonicMs();
  let seen = (await selectEpoch(store.db).executeTakeFirstOrThrow()).value;
  let polling = false;
  authenticator.forget("*");
  authenticator.changesAppliedUpTo(startedMs);
  context.channel?.subscribe((subject) => authenticator.forget(subject));

  async function poll(): Promise<void> {
    const askedMs = context.monotonicMs();
    const changes = await selectChangesAfter(store.db, { seq: seen, limit: changesPerPollMax }).execute();
    for (const { seq, subject } of changes) {
      // A gap means that changes were pruned before this node saw them.
      authenticator.forget(seq === seen + 1 ? subject : "*");
      seen = seq;
    }
    if (changes.length < changesPerPollMax) authenticator.changesAppliedUpTo(askedMs);
  }

  const timer = setInterval(() => {
    if (polling) return;
    polling = true;
    poll()
      .catch(context.onError)
      .finally(() => {
        polling = false;
      });
  }, pollMs);
  return { stop: () => clearInterval(timer) };
}
