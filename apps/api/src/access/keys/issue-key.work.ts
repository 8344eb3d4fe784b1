import { noteAction } from "../../register/audit.table.ts";
import type { KeyRow } from "../../store/schema.ts";
import type { TransactionWork } from "../../store/store.ts";
import { writeEvents } from "../../webhooks/events/write-events.ts";
import { findKeyRefusal, type KeyRefusal } from "./key-bounds.ts";
import { keyData } from "./key-events.ts";
import { insertKey } from "./keys.table.ts";

/** `actorAccountId`: null for the command line, which has no bounds. `epoch`: of the sign-in that asks for it. */
export type NewKey = { row: KeyRow; actorAccountId: string | null; epoch: number | undefined; nowMs: number };
export type IssueOutcome = { kind: "issued" } | KeyRefusal;

export const work: TransactionWork<NewKey, IssueOutcome> = async (tx, { row, actorAccountId, epoch, nowMs }) => {
  const { id: keyId, account_id: accountId, mode, expires_at: expiresAtMs } = row;
  const refusal = actorAccountId === null ? undefined : await findKeyRefusal(tx, { accountId, epoch, nowMs });
  if (refusal) return refusal;
  await tx.change(insertKey(tx.db, row));
  await writeEvents(tx, [{ audience: accountId, type: "key.created", data: keyData(row) }], nowMs);
  await tx.change(noteAction(tx.db, { actorAccountId, action: "key.create", subject: keyId, accountId, detail: { mode, expires_at: expiresAtMs }, nowMs }));
  return { kind: "issued" };
};
