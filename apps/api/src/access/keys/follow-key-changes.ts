import type { Store } from "../../store/store.ts";
import type { Authenticator } from "./authenticate-key.ts";
import { selectChangesAfter, selectEpoch } from "./keys.table.ts";

const pollMs = 500;
const changesPerPollMax = 1_000;

export const keyChangesChannel = "assay:key-changes";

/** The fast path between nodes. It may lose messages: the poll finds whatever it lost. */
export type KeyChangeChannel = {
  publish(subject: string): void;
  subscribe(onSubject: (subject: string) => void): void;
};

export type KeyChangeFollower = { stop(): void };

/**
 * Tells the authenticator what to forget: at once when another node announces it, and within half a
 * second from the store in any case. A poll that fails or comes late makes the authenticator ask the
 * store for every key, because it no longer hears the news.
 */
export async function followKeyChanges(
  store: Store,
  authenticator: Authenticator,
  context: {
    channel: KeyChangeChannel | undefined;
    monotonicMs: () => number;
    onError: (error: unknown) => void;
  },
): Promise<KeyChangeFollower> {
  const startedMs = context.monotonicMs();
  let seen = (await selectEpoch(store.db).executeTakeFirstOrThrow()).value;
  let polling = false;
  authenticator.forget("*");
  authenticator.newsHeard(startedMs);
  context.channel?.subscribe((subject) => authenticator.forget(subject));

  async function poll(): Promise<void> {
    const askedMs = context.monotonicMs();
    const changes = await selectChangesAfter(store.db, { seq: seen, limit: changesPerPollMax }).execute();
    for (const { seq, subject } of changes) {
      // A gap means that changes were pruned before this node saw them.
      authenticator.forget(seq === seen + 1 ? subject : "*");
      seen = seq;
    }
    if (changes.length < changesPerPollMax) authenticator.newsHeard(askedMs);
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
