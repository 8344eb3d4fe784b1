import { msPerDay } from "../../formats/time.ts";
import type { Store } from "../../store/store.ts";
import { sumAttestedCalls } from "./ledger.table.ts";

const shareDays = 30;

/** The share of attested calls among the account's live calls of the last 30 days that a token could attest. Null without calls. */
export async function readAttestedShare({ db }: Store, place: { accountId: string; nowMs: number }): Promise<number | null> {
  const { accountId, nowMs } = place;
  // Up to this hour, the present one included.
  const span = { accountId, fromMs: nowMs - shareDays * msPerDay, toMs: nowMs + 1 };
  const { calls, attested } = await sumAttestedCalls(db, span).executeTakeFirstOrThrow();
  return calls === 0 ? null : Math.round((attested / calls) * 1_000_000) / 1_000_000;
}
