import type { Limiter } from "../access/limits/limiter.ts";
import { readSealedKey, type SecretsContext, unreadable } from "../secrets/read-sealed-key.ts";
import { createCrowds, type Crowds, windowSpanMs } from "./networks/crowds.ts";
import { createFloodGuard } from "./networks/flood-guard.ts";
import { type NetworkTagger, openNetworkTagger } from "./networks/network-tags.ts";
import { createPageGate, type PageGate } from "./page-gate.ts";
import { type AttestationRecorder, createAttestationRecorder } from "./record-attestation.ts";
import { followSites, type SiteDirectory } from "./sites/follow-sites.ts";
import { createSessionTokens, type SessionTokens } from "./tokens/session-tokens.ts";

export type Attestation = {
  sites: SiteDirectory;
  tokens: SessionTokens;
  crowds: Crowds;
  gate: PageGate;
  tagger: NetworkTagger;
  recorder: AttestationRecorder;
  close(): Promise<void>;
};

/**
 * The key that session tokens are sealed with, on all nodes. If SECRET_KEY was replaced without the old one, another key is
 * made, of the new secret: the sessions that are under way end, and nothing else does.
 */
async function openTokens(context: SecretsContext): Promise<SessionTokens> {
  const name = "session tokens";
  for (const each of [name, `${name} ${context.sealer.currentPrefix}`]) {
    const key = await readSealedKey(context, each);
    if (key !== "unreadable") return createSessionTokens(key);
  }
  throw unreadable("The key of session tokens", "Set SECRET_KEY_PREVIOUS to the old secret.", `the sealed key ${name} cannot be opened`);
}

/** `limiter`: counts the sessions of networks and sites, for all nodes where there is Redis. */
export async function openAttestation(
  context: SecretsContext,
  { limiter, monotonicMs, onError }: { limiter: Limiter; monotonicMs: () => number; onError: (message: string) => (error: unknown) => void },
): Promise<Attestation> {
  const { store, nowMs } = context;
  const tokens = await openTokens(context);
  const sites = await followSites(store, { onError: onError("sites could not be read; the last known ones stay in use") });
  const tagger = await openNetworkTagger(store, { nowMs, spanMs: windowSpanMs, onError: onError("the day's salt could not be read; the last one stays in use") });
  const recorder = createAttestationRecorder(store, { onError: onError("counts of attested sessions could not be written") });
  return {
    sites,
    tokens,
    crowds: createCrowds(limiter),
    tagger,
    gate: createPageGate({ tagger, floodGuard: createFloodGuard(monotonicMs), nowMs }),
    recorder,
    async close() {
      sites.stop();
      tagger.stop();
      await recorder.stop();
    },
  };
}
