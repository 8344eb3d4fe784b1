import { msPerMinute } from "../../formats/time.ts";
import { selectReversedCalls, selectSeqsOfSessions } from "../../money/days/days.table.ts";
import type { ReversedSums } from "../../money/findings/close-finding.work.ts";
import { findingRefusalTexts } from "../../money/findings/change-finding.ts";
import type { StoredFinding } from "../../money/findings/describe-finding.ts";
import { acceptEveryMs, isAcceptable } from "../../money/findings/finding-codes.ts";
import { selectLastDecision } from "../../money/findings/findings.table.ts";
import { selectPlatformCalls } from "../../money/ledger/ledger.table.ts";
import type { Store } from "../../store/store.ts";
import { findAcceptedSessions } from "./close-finding.ts";

/** Adding up reads every session of the finding's days: a page that is opened again soon reads them once. */
const keptMs = 10 * msPerMinute;
const keptMax = 200;
const sessionsAtOnce = 500;

export type AcceptancePreview = { sums: ReversedSums | null; refused: string | null };

async function previewSums(store: Store, finding: StoredFinding, nowMs: number): Promise<AcceptancePreview> {
  const { account_id: accountId } = finding;
  const { sessionIds: matched, refused } = await findAcceptedSessions(store, finding, nowMs);
  if (refused !== undefined) return { sums: null, refused };
  const sums = { calls: 0, developerMicroUsd: 0 };
  for (let from = 0; from < matched.length; from += sessionsAtOnce) {
    const some = { accountId, sessionIds: matched.slice(from, from + sessionsAtOnce) };
    const seqs = (await selectSeqsOfSessions(store.db, some).execute()).map(({ seq }) => seq);
    if (seqs.length === 0) continue;
    const reversed = new Set((await selectReversedCalls(store.db, some).execute()).map((row) => row.session_id));
    for (const call of await selectPlatformCalls(store.db, { accountId, seqs }).execute()) {
      if (reversed.has(call.ref)) continue;
      sums.calls += 1;
      sums.developerMicroUsd += call.developer_micro;
    }
  }
  return { sums, refused: null };
}

/** What accepting a finding would reverse, or why it cannot be accepted; neither for a closed one. */
export function createAcceptancePreviews(store: Store) {
  const kept = new Map<string, { untilMs: number; preview: Promise<AcceptancePreview> }>();

  function keepPreview(finding: StoredFinding, nowMs: number): Promise<AcceptancePreview> {
    const key = `${finding.id} ${finding.days}`;
    const known = kept.get(key);
    if (known && known.untilMs > nowMs) return known.preview;
    const preview = previewSums(store, finding, nowMs);
    kept.delete(key);
    kept.set(key, { untilMs: nowMs + keptMs, preview });
    preview.catch(() => kept.delete(key));
    if (kept.size > keptMax) kept.delete(kept.keys().next().value!);
    return preview;
  }

  return async (finding: StoredFinding, nowMs: number): Promise<AcceptancePreview> => {
    if (finding.closed_at !== null) return { sums: null, refused: null };
    if (!isAcceptable(finding.code)) return { sums: null, refused: findingRefusalTexts.not_acceptable };
    const last = await selectLastDecision(store.db, finding.account_id).executeTakeFirst();
    if ((last?.accepted_at ?? 0) > nowMs - acceptEveryMs) return { sums: null, refused: findingRefusalTexts.accepted_before };
    return keepPreview(finding, nowMs);
  };
}
