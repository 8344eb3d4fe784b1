import { createHash } from "node:crypto";
import { Failure } from "../../failure/failure.ts";
import { noteAction } from "../../register/audit.table.ts";
import type { Store } from "../../store/store.ts";
import type { AllowOutcome, AllowWaiting } from "./allow-waiting.work.ts";
import { findRepeatedCalls } from "../days/find-repeats.ts";
import { callsReversedAtOnceMax } from "../days/reverse-calls.ts";
import type { WaitingDecision, WaitingOutcome, WaitingPart } from "./decide-waiting.work.ts";
import { selectWaiting, stateWaiting } from "../waiting/waiting.table.ts";

const decideModule = new URL("./decide-waiting.work.ts", import.meta.url);
const allowModule = new URL("./allow-waiting.work.ts", import.meta.url);

type Refusal = Exclude<WaitingOutcome["kind"], "decided" | "part_reversed"> | Exclude<AllowOutcome["kind"], "allowed">;

const refusalTexts: Record<Refusal, string> = {
  unknown: "Nothing that waits has this id.",
  unknown_account: "No account has this id.",
  already_decided: "It was decided before.",
  own_account: "You cannot decide about your own account, or one that names the same payee.",
  clicks_left: "More clicks wait than were reversed: reverse it again.",
};

function refuse(kind: Refusal): never {
  throw new Failure(kind === "unknown" || kind === "unknown_account" ? "not_found" : kind === "own_account" ? "forbidden" : "invalid_request", refusalTexts[kind]);
}

/** Clicks that are to be reversed were reversed before. An interruption leaves the rest of the calls waiting, to be decided again. */
export async function decideOnWaiting(store: Store, order: WaitingDecision, namedAtOnce = callsReversedAtOnceMax): Promise<void> {
  for (;;) {
    const found = order.decision === "reversed" ? await findRepeatedCalls(store, order.waitingId, namedAtOnce + 1) : [];
    const part = { ...order, seqs: found.slice(0, namedAtOnce), isLastPart: found.length <= namedAtOnce };
    const { kind } = await store.transact<WaitingPart, WaitingOutcome>(decideModule, part);
    if (kind === "decided") return;
    if (kind !== "part_reversed") refuse(kind);
  }
}

export async function allowWaiting(store: Store, order: AllowWaiting): Promise<void> {
  const { kind } = await store.transact<AllowWaiting, AllowOutcome>(allowModule, order);
  if (kind !== "allowed") refuse(kind);
}

/** The last statement counts. The audit log keeps its hash and length: the text itself is erased with the account. */
export async function stateOwnWaiting(store: Store, statement: { waitingId: string; accountId: string; text: string; nowMs: number }): Promise<void> {
  const { waitingId, accountId, text, nowMs } = statement;
  const detail = { length: text.length, sha256: createHash("sha256").update(text).digest("hex") };
  const note = noteAction(store.db, { actorAccountId: accountId, action: "waiting.state", subject: waitingId, accountId, detail, nowMs });
  const [stated] = await store.write([stateWaiting(store.db, statement), note], { guards: 1 });
  if (stated === 1) return;
  const found = await selectWaiting(store.db, waitingId).executeTakeFirst();
  if (found?.account_id !== accountId) refuse("unknown");
  if (found.decision !== null) refuse("already_decided");
}
