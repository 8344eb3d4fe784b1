import type { TestAccount } from "../../make-account.ts";
import { goodSignals } from "../../send.ts";

/** Result of one attempt at a call, as its client saw it. */
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
  /** The connection closed or broke before the answer was complete. */
  | { kind: "cut"; reason: string }
  /** The connection was refused, so the call cannot have arrived. */
  | { kind: "refused" }
  /** Neither an answer nor a close: the client gave up. */
  | { kind: "hung" };

/** Billable endpoints. */
export type CallPath = "/api/ml/predict" | "/ml/predict" | "/api/ml/score" | "/api/ml/analyze" | "/api/servicescore/analyze";

/** A report has no session, so no session record can carry its serial. */
const reportPath: CallPath = "/api/servicescore/analyze";
export const isReport = (record: CallRecord): boolean => record.path === reportPath;

/** One call and all its attempts. Its body contains its serial, so that its ledger entry can be matched. */
export type CallRecord = {
  serial: number;
  round: number;
  account: TestAccount;
  path: CallPath;
  idempotencyKey: string | undefined;
  body: string;
  attempts: Attempt[];
};

/** All calls of a test's clients. */
export type CallBook = {
  records: CallRecord[];
  /** Current round of the test; new calls belong to it. */
  round: number;
  /** Books on the same store need different serials. */
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

/** Whether an attempt got the replayed answer of an earlier one. */
export const wasReplayed = (record: CallRecord): boolean =>
  record.attempts.some((each) => each.kind === "answered" && each.replayed);

/** Calls with a key that have no 200 yet, so that the client may retry them. */
export const unsettledWithKey = (records: readonly CallRecord[]): CallRecord[] =>
  records.filter((record) => record.idempotencyKey !== undefined && !isAnswered(record, 200));

/** Number of attempts by result. */
export function countAttempts(records: readonly CallRecord[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const attempt of records.flatMap((record) => record.attempts)) {
    const name = attempt.kind === "answered" ? String(attempt.status) : attempt.kind;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}
