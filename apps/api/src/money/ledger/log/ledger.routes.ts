import { ledgerPageMax, ledgerPageServed } from "@assay/contract/dashboard/ledger.ts";
import { EntriesQuery, EntriesReply, ProofQuery, ProofReply } from "@assay/contract/ledger.ts";
import type { IncomingHttpHeaders } from "node:http";
import Type from "typebox";
import { Failure } from "../../../failure/failure.ts";
import { keyedFailures } from "../../../http/describe-failures.ts";
import type { TypedApp } from "../../../http/typed-app.ts";
import type { Store } from "../../../store/store.ts";
import { selectEntries, selectHead } from "../ledger.table.ts";
import { proveEntry, proveGrowth } from "./answer-proofs.ts";

const wantsJson = (headers: IncomingHttpHeaders): boolean => headers.accept?.includes("application/json") ?? false;

const proofExample = `c2sp.org/tlog-proof@v1
extra YXNzYXktcmVjZWlwdC0xCg==
index 0

assay.example.com/assay/Ab3dEf9h
1
sFodV/vSp5O8n9a8QpW6PRY97tfOSW5bsc2Xl/EQi08=

— assay.example.com/assay/Ab3dEf9h hI2DJw==
`;

/** Free of charge; they need a key and have windows of their own. */
export function addLedgerRoutes(app: TypedApp, { store, hasProofs }: { store: Store; /** False where the log is kept to the installation. */ hasProofs: boolean }): void {
  const about = { tags: ["Ledger"], security: [{ apiKey: [] }] };
  app.get("/api/ledger/entries", {
    schema: {
      operationId: "ledgerEntries",
      summary: "The account's ledger entries",
      description: "The account's own chain, to be verified entry by entry: docs/money.md says how. Follow `next_from` until it is null.",
      ...about,
      querystring: EntriesQuery,
      response: { 200: EntriesReply, ...keyedFailures({ billable: false }) },
    },
    async handler({ caller: { accountId }, query }) {
      const limit = Number(query.limit ?? ledgerPageServed);
      if (limit > ledgerPageMax) throw new Failure("invalid_request", `limit must be 1 to ${ledgerPageMax}`);
      // The head is read first: every entry up to it exists, whatever is appended meanwhile.
      const head = await selectHead(store.db, accountId).executeTakeFirstOrThrow();
      const afterSeq = Number(query.from ?? 1) - 1;
      const left = Math.max(0, head.seq - afterSeq);
      const entries = left === 0 ? [] : await selectEntries(store.db, { accountId, afterSeq, limit: Math.min(limit, ledgerPageServed, left) }).execute();
      const last = entries.at(-1)?.seq ?? head.seq;
      return { entries, head: { seq: head.seq, hash: head.hash, balance_micro: head.balance_micro }, next_from: last < head.seq ? last + 1 : null };
    },
  });
  if (!hasProofs) return;
  app.get("/api/ledger/proof", {
    schema: {
      operationId: "ledgerProof",
      summary: "Proof that an entry is in the log",
      description:
        "For `seq`, a C2SP tlog-proof of that entry of the account, which anybody can verify offline; as JSON with `Accept: application/json`. " +
        "404 with `Retry-After` while the entry is not logged yet, at most a minute. For `consistency_from`, proof that the log has only grown since it had that size, as JSON; `consistency_to` ends it at an earlier size.",
      ...about,
      querystring: ProofQuery,
      response: {
        200: {
          description: "The proof.",
          content: { "text/plain": { schema: Type.String({ examples: [proofExample] }) }, "application/json": { schema: ProofReply } },
        },
        ...keyedFailures({ billable: false, notFound: true }),
      },
    },
    async handler({ caller, query, headers }, reply) {
      if ((query.seq === undefined) === (query.consistency_from === undefined)) throw new Failure("invalid_request", "Send either seq or consistency_from.");
      if (query.consistency_from !== undefined) {
        return proveGrowth(store, { fromSize: Number(query.consistency_from), toSize: query.consistency_to === undefined ? undefined : Number(query.consistency_to) });
      }
      const proof = await proveEntry(store, { accountId: caller.accountId, seq: Number(query.seq) });
      if (wantsJson(headers)) return proof.json();
      reply.type("text/plain; charset=utf-8");
      return proof.text();
    },
  });
}
