import { LedgerConsistencyQuery, LedgerConsistencyReply, LedgerLogReply, LedgerProofQuery, LedgerProofReply } from "@assay/contract/dashboard/ledger-log.ts";
import { Failure } from "../../failure/failure.ts";
import type { TypedApp } from "../../http/typed-app.ts";
import { proveEntry, proveGrowth } from "../../money/ledger/log/answer-proofs.ts";
import { findNewestLoggedSeq } from "../../money/ledger/log/find-checkpoint.ts";
import type { DeveloperContext } from "./developer-context.ts";

/** What the "Verify" button reads besides the entries. */
export function addLedgerLogRoutes(app: TypedApp, { store, log }: DeveloperContext): void {
  const refuseUnlessPublished = () => {
    if (!log) throw new Failure("not_found", "This installation does not publish its log.");
  };
  app.get("/ledger/log", {
    schema: { hide: true, response: { 200: LedgerLogReply } },
    async handler({ signedIn: { accountId } }) {
      if (!log) return { is_published: false, newest_seq: null, log_keys: [], witness_keys: [] };
      const newest = await findNewestLoggedSeq(store, accountId);
      return { is_published: true, newest_seq: newest ?? null, log_keys: newest === undefined ? [] : await log.readKeys(), witness_keys: await log.readWitnessKeys() };
    },
  });
  app.get("/ledger/proof", {
    schema: { hide: true, querystring: LedgerProofQuery, response: { 200: LedgerProofReply } },
    async handler({ signedIn: { accountId }, query }) {
      refuseUnlessPublished();
      return { proof: (await proveEntry(store, { accountId, seq: Number(query.seq) })).text() };
    },
  });
  app.get("/ledger/consistency", {
    schema: { hide: true, querystring: LedgerConsistencyQuery, response: { 200: LedgerConsistencyReply } },
    async handler({ query }) {
      refuseUnlessPublished();
      const { path } = await proveGrowth(store, { fromSize: Number(query.from), toSize: Number(query.to) });
      return { path };
    },
  });
}
