import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { takeTurns } from "../queues/take-turns.ts";
import type { SignedIn } from "./require-sign-in.ts";

const parameters = { N: 16_384, r: 16, p: 1, maxmem: 64 * 1024 * 1024 };
const keyBytes = 64;

/**
 * A hash takes about 70 ms of a core, and one of libuv's four threads meanwhile. Strangers have two of them and people who
 * are signed in have one, so one stays free for files and look-ups. 40 that wait for two take 1.5 s. The threads are the
 * process's, and so are the lines.
 */
const strangers = takeTurns({ atOnceMax: 2, perSubjectMax: 1, waitingMax: 40, what: "passwords" });

/** Those who are signed in do not stand in a line that strangers can fill, nor operators in one that any account can. */
const developers = takeTurns({ atOnceMax: 1, perSubjectMax: 1, waitingMax: 40, what: "passwords" });
const operators = takeTurns({ atOnceMax: 1, perSubjectMax: 1, waitingMax: 40, what: "passwords" });
/** The heads of both lines take turns at one thread: an operator waits for one developer's hash at most. */
const signedInThread = takeTurns({ atOnceMax: 1, perSubjectMax: 1, waitingMax: 2, what: "passwords" });

declare const isTurn: unique symbol;
/** Whoever hashes must have one, so that no request hashes beside the line. */
export type HashTurn = { readonly [isTurn]: true };
const turn = {} as HashTurn;

/**
 * Waits for the turn of a network (`lineOf`), or throws `overloaded`. Attempts are counted within
 * the turn: one that was refused for want of room tried nothing. A turn within a turn could wait for itself.
 */
export const hashInTurn = <Result>(subject: string, work: (turn: HashTurn) => Promise<Result>): Promise<Result> => strangers(subject, () => work(turn));

/** The same of an account that is signed in. Its session says whether it is an operator's, never its request. */
export function hashInOwnTurn<Result>({ accountId, operator }: Pick<SignedIn, "accountId" | "operator">, work: (turn: HashTurn) => Promise<Result>): Promise<Result> {
  const [line, head] = operator ? [operators, "an operator"] : [developers, "a developer"];
  return line(accountId, () => signedInThread(head, () => work(turn)));
}

/** For the command line. */
export const hashAtOnce = <Result>(work: (turn: HashTurn) => Promise<Result>): Promise<Result> => work(turn);

function derive(password: string, salt: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize("NFKC"), salt, keyBytes, parameters, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });
}

/** `<salt>:<key>`, both in hex. */
export async function hashPassword(_turn: HashTurn, password: string): Promise<string> {
  const salt = randomBytes(16).toString("hex");
  return `${salt}:${(await derive(password, salt)).toString("hex")}`;
}

/** The same work to check as any other, and no password's: a random key that nothing was derived to. */
export const nobodysHash = `${randomBytes(16).toString("hex")}:${randomBytes(keyBytes).toString("hex")}`;

export async function isPassword(_turn: HashTurn, password: string, stored: string): Promise<boolean> {
  const [salt = "", key = ""] = stored.split(":");
  const expected = Buffer.from(key, "hex");
  const actual = await derive(password, salt);
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}
