/** What a caller gets to verify its own chain and the log of all chains. */
import Type, { type Static } from "typebox";
import { LedgerEntry, ledgerPageMax, ledgerPageServed } from "./dashboard/ledger.ts";

const seq = (description: string) => Type.String({ pattern: "^[1-9]\\d{0,14}$", description });

export const EntriesQuery = Type.Object({
  from: Type.Optional(seq("Number of the first entry. Default: 1.")),
  limit: Type.Optional(Type.String({ pattern: "^[1-9]\\d{0,3}$", description: `1 to ${ledgerPageMax}. Default: ${ledgerPageServed}, which is also the most that a page has: a page may have fewer entries than limit and not be the last.` })),
});

export const EntriesReply = Type.Object(
  {
    entries: Type.Array(LedgerEntry, { description: "In order, with every field that their hashes cover." }),
    head: Type.Object(
      {
        seq: Type.Integer({ minimum: 0, description: "Number of the last entry." }),
        hash: Type.String({ description: "Its hash." }),
        balance_micro: Type.Integer({ description: "The balance over all entries, in micro-USD." }),
      },
      { description: "End of the chain when this was read." },
    ),
    next_from: Type.Union([Type.Integer(), Type.Null()], { description: "Where the next page begins; null on the last one." }),
  },
  {
    $id: "LedgerEntries",
    title: "Ledger entries",
    description: "A page of the account's chain.",
    examples: [
      {
        entries: [
          {
            account_id: "acct_0VgmYUl2000v1V5yK3ZkQx",
            seq: 1,
            at: 1_767_225_600_000,
            kind: "call",
            ref: "sess_0VgmYUl3000Tn4d8sRwq2C",
            endpoint: "predict",
            payer: "platform",
            share_bps: 6_800,
            gross_micro: 50_000,
            developer_micro: 34_000,
            platform_micro: 16_000,
            prev_hash: "0".repeat(64),
            hash: "3f".repeat(32),
          },
        ],
        head: { seq: 1, hash: "3f".repeat(32), balance_micro: 34_000 },
        next_from: null,
      },
    ],
  },
);

export type EntriesReply = Static<typeof EntriesReply>;

export const ProofQuery = Type.Object({
  seq: Type.Optional(seq("Number of the entry that is to be proved to be in the log.")),
  consistency_from: Type.Optional(seq("Instead of seq: a size that the log had. Proves that the log has only grown since.")),
  consistency_to: Type.Optional(seq("With consistency_from: the later size. Default: that of the newest checkpoint.")),
});

const hashes = (description: string) => Type.Array(Type.String({ description: "Base64." }), { description });
const checkpoint = Type.String({ description: "The signed checkpoint, as GET /log/checkpoint returns it." });

export const InclusionReply = Type.Object({
  receipt: Type.Object(
    {
      account_id: Type.String({ description: "The account." }),
      seq: Type.Integer({ description: "Number of the entry in the account's chain." }),
      hash: Type.String({ description: "Hash of the entry." }),
    },
    { description: "What is proved." },
  ),
  index: Type.Integer({ minimum: 0, description: "Place of the entry in the log." }),
  size: Type.Integer({ minimum: 1, description: "Size of the log at the checkpoint." }),
  path: hashes("From the sibling of the leaf up to the root."),
  checkpoint,
});

export type InclusionReply = Static<typeof InclusionReply>;

export const ConsistencyReply = Type.Object({
  from_size: Type.Integer({ minimum: 1, description: "The earlier size." }),
  size: Type.Integer({ minimum: 1, description: "Size of the log at the checkpoint." }),
  path: hashes("In the order of RFC 6962."),
  checkpoint,
});

export type ConsistencyReply = Static<typeof ConsistencyReply>;

export const ProofReply = Type.Union([InclusionReply, ConsistencyReply], {
  description: "With `Accept: application/json`. `receipt` and `index` are in proofs of an entry, `from_size` in proofs of consistency.",
  examples: [
    {
      receipt: { account_id: "acct_0VgmYUl2000v1V5yK3ZkQx", seq: 1, hash: "3f".repeat(32) },
      index: 0,
      size: 1,
      path: [],
      checkpoint: "assay.example.com/assay/Ab3dEf9h\n1\nsFodV/vSp5O8n9a8QpW6PRY97tfOSW5bsc2Xl/EQi08=\n\n— assay.example.com/assay/Ab3dEf9h hI2DJw==\n",
    },
  ],
});

export const LogParams = Type.Object({ log: Type.String({ pattern: "^[1-9]\\d{0,5}$", description: "Number of the log." }) });
