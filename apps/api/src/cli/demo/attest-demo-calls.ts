/** Pages of a demo site, measured under the clock of the past: sessions begin, beat and end by the code that real pages call. */
import type { SessionData } from "@assay/contract/scoring.ts";
import { randomBytes } from "node:crypto";
import { createAttestationRecorder } from "../../attestation/record-attestation.ts";
import { createSite } from "../../attestation/sites/manage-sites.ts";
import { creditBeat, startSession } from "../../attestation/tokens/credit-beat.ts";
import { sessionIdPrefix, type SessionState } from "../../attestation/tokens/session-state.ts";
import { createSessionTokens } from "../../attestation/tokens/session-tokens.ts";
import { idAt } from "../../ids/time-ordered-id.ts";
import type { CallAttestation } from "../../money/ledger/charge-batch.ts";
import { judgeToken } from "../../scoring/judge-token.ts";
import { attestedBits } from "../../scoring/sessions/describe-attestation.ts";
import type { Store } from "../../store/store.ts";
import type { DemoCall } from "./draw-demo-traffic.ts";

/** The others' pages do not have the collector yet, or a blocker keeps it away. */
const measuredShare = 0.75;
const crowdedShare = 0.02;
const networksOfSite = 4_000;
const keyBytes = 32;
/** From the last beat until the shop's server makes its call. */
const callDelayMs = 300;

/** A call's signals as they are scored, and what its token gives. Without one, the signals are the shop's word. */
export type DemoSession = { signals: SessionData; attestation: CallAttestation | undefined };

export type DemoPages = {
  visit(call: DemoCall): DemoSession;
  /** Writes the counts of the site. */
  close(): Promise<void>;
};

/** What happened until a share of the session had passed. */
const soFar = (total: number, share: number): number => Math.round(total * share);

/** Beats as the collector sends them: whenever the service asked for one, and at the end. */
function measure(begun: SessionState, { signals }: DemoCall, random: () => number): SessionState {
  const { user_engagement: engagement, session_duration: seconds, scroll_depth: scroll, interaction_count: interactions = 0, page_views: pages = 1 } = signals;
  const lastingMs = Math.round(seconds * 1_000);
  let state = begun;
  while (state.lastMs < begun.startedMs + lastingMs) {
    const passedMs = state.lastMs - begun.startedMs;
    const nextMs = Math.min(passedMs + state.nextMs, lastingMs);
    const [before, after] = [passedMs / lastingMs, nextMs / lastingMs];
    const viewMs = nextMs - passedMs;
    const since = (total: number) => soFar(total, after) - soFar(total, before);
    const delta = { view_ms: viewMs, active_ms: Math.round(viewMs * engagement), clicks: since(interactions), pages: since(pages - 1) + (passedMs === 0 ? 1 : 0), scroll: scroll === undefined ? null : scroll * after };
    state = creditBeat(state, delta, { nowMs: begun.startedMs + nextMs, chance: random() });
  }
  return state;
}

/** Makes the site of an account, and its visitors' sessions from then on. The key of their tokens is known to nobody. */
export async function openDemoPages(store: Store, { accountId, fromMs, random }: { accountId: string; fromMs: number; random: () => number }): Promise<DemoPages> {
  const { siteId } = await createSite(store, { accountId, actorAccountId: null, nowMs: fromMs, name: "Web shop", origins: ["https://shop.example"] });
  const tokens = createSessionTokens(randomBytes(keyBytes));
  const failures: unknown[] = [];
  const recorder = createAttestationRecorder(store, { onError: (error) => failures.push(error) });

  function beginSession(call: DemoCall): SessionState {
    const startedMs = call.atMs - callDelayMs - Math.round(call.signals.session_duration * 1_000);
    const network = Math.floor(random() * networksOfSite).toString(16).padStart(16, "0");
    const issues = random() < crowdedShare ? (["crowded_network"] as const) : [];
    const begun = startSession({ siteId, accountId, network, issues, nowMs: startedMs, chance: random() });
    recorder.began(siteId, startedMs);
    return { ...begun, id: idAt(sessionIdPrefix, startedMs) };
  }

  return {
    visit(call) {
      const { signals, atMs } = call;
      if (atMs < fromMs || random() >= measuredShare) return { signals, attestation: undefined };
      const ended = measure(beginSession(call), call, random);
      const judged = judgeToken(tokens.open(tokens.seal(ended), atMs), signals, { accountId, nowMs: atMs });
      if (judged.kind === "refused") throw judged.failure;
      const isAttested = judged.kind === "attested";
      const { scored } = judged;
      recorder.billed({ accountId, siteId, network: ended.network, isAttested, atMs });
      return {
        signals: scored.signals,
        attestation: { sessionId: isAttested ? ended.id : undefined, signals: attestedBits(scored.attested), issues: scored.issues.length === 0 ? null : scored.issues.join(",") },
      };
    },
    async close() {
      await recorder.stop();
      if (failures.length > 0) throw failures[0];
    },
  };
}
