import type { TestAccount } from "../../make-account.ts";
import { goodSignals } from "../../send.ts";

/** What became of one attempt to make a call, as its client saw it. */
export type Attempt =
  | {
      kind: "answered";
      status: number;
      text: string;
      sessionId: string | undefined;
      receipt: string | undefined;
      replayed: boolean;
      requestId?: string | undefined;
    }
  /** The connection ended, or broke, before the answer was complete. */
  | { kind: "cut"; reason: string }
  /** There was no connection, so the call cannot have arrived. */
  | { kind: "refused" }
  /** Neither an answer nor an end: the client gave up. */
  | { kind: "hung" };

/** What is billed. */
export type CallPath = "/api/ml/predict" | "/ml/predict" | "/api/ml/score" | "/api/ml/analyze" | "/api/servicescore/analyze";

/** A report is about no session, so it leaves no session record that could carry a serial. */
const reportPath: CallPath = "/api/servicescore/analyze";
export const isReport = (record: CallRecord): boolean => record.path === reportPath;

/** One call and all attempts to make it. Its serial travels in its body, so the store tells which call it billed. */
export type CallRecord = {
  serial: number;
  round: number;
  account: TestAccount;
  path: CallPath;
  idempotencyKey: string | undefined;
  body: string;
  attempts: Attempt[];
};

/** Every call that the clients of a test have made. */
export type CallBook = {
  records: CallRecord[];
  /** Numbers the rounds of a test; calls that are opened belong to the current one. */
  round: number;
  /** Books of one store need serials that differ. */
  firstSerial: number;
  open(account: TestAccount, keyed: boolean, path?: CallPath): CallRecord;
};

export function createCallBook(): CallBook {
  const records: CallRecord[] = [];
  const book: CallBook = {
    records,
    round: 0,
    firstSerial: 1,
    open(account, keyed, path = "/api/ml/predict") {
      const serial = book.firstSerial + records.length;
      const record: CallRecord = {
        serial,
        round: book.round,
        account,
        path,
        idempotencyKey: keyed ? `call-${serial}` : undefined,
        body: JSON.stringify(path === reportPath ? {} : { session_data: { ...goodSignals, interaction_count: serial } }),
        attempts: [],
      };
      records.push(record);
      return record;
    },
  };
  return book;
}

export const isAnswered = (record: CallRecord, status: number): boolean =>
  record.attempts.some((each) => each.kind === "answered" && each.status === status);

export const isCut = (record: CallRecord): boolean => record.attempts.some((each) => each.kind === "cut");

/** Whether an attempt got the answer that an earlier one was billed for. */
export const wasReplayed = (record: CallRecord): boolean =>
  record.attempts.some((each) => each.kind === "answered" && each.replayed);

/** Calls with a key of which the client does not know that they were billed: it may ask again. */
export const unsettledWithKey = (records: readonly CallRecord[]): CallRecord[] =>
  records.filter((record) => record.idempotencyKey !== undefined && !isAnswered(record, 200));

/** How the attempts went, by outcome. */
export function countAttempts(records: readonly CallRecord[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const attempt of records.flatMap((record) => record.attempts)) {
    const name = attempt.kind === "answered" ? String(attempt.status) : attempt.kind;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}
