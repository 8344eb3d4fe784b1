import { overtaken } from "../failure/failure.ts";
import { holdSignInEpoch } from "../register/accounts.table.ts";
import type { Db } from "../store/schema.ts";
import { type ClosedWrite, type Store, type Transaction } from "../store/store.ts";
import type { SignedIn } from "./require-sign-in.ts";
import { replaceToken } from "./sign-ins.table.ts";

/**
 * What a request was let in with. Between that and its write it may wait, for a turn to hash a password first of all:
 * whatever it was let in with may be over by then.
 */
export type LetIn = Pick<SignedIn, "accountId" | "sessionId" | "storedToken" | "epoch">;

/** Of a session what a transaction compares, and nothing else. */
export const letInOf = ({ accountId, sessionId, storedToken, epoch }: LetIn): LetIn => ({ accountId, sessionId, storedToken, epoch });

/**
 * Guards: no credential of the account was changed since the request was let in, and its session has neither ended nor got
 * another token. They lock both until the write is over, the account first, as `endSessions` does.
 */
const guardsOfSignIn = (db: Db, letIn: LetIn, { nowMs, nextToken = letIn.storedToken }: { nowMs: number; nextToken?: string }) => [
  holdSignInEpoch(db, letIn),
  replaceToken(db, { id: letIn.sessionId, before: letIn.storedToken, after: nextToken, nowMs }),
];

/** Inside a transaction that has locked what it locks before accounts. */
export async function isStillLetIn(tx: Transaction, letIn: LetIn, nowMs: number): Promise<boolean> {
  for (const guard of guardsOfSignIn(tx.db, letIn, { nowMs })) {
    if ((await tx.change(guard)) === 0) return false;
  }
  return true;
}

/**
 * `store.write` for what somebody who is signed in asks for: writes nothing, and throws, if what they were let in with is
 * over. `guards` are the statements' own.
 */
export async function writeLetIn(
  store: Store,
  letIn: LetIn,
  statements: ClosedWrite,
  { guards = 0, ...options }: { nowMs: number; guards?: number; /** The session gets this one, as the store holds it. */ nextToken?: string },
): Promise<number[]> {
  const first = guardsOfSignIn(store.db, letIn, options);
  const changes = await store.write([...first, ...statements], { guards: first.length + guards });
  if (changes.slice(0, first.length).includes(0)) throw overtaken();
  return changes.slice(first.length);
}
