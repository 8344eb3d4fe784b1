import { accountId, nowMs, type SamplesOf } from "../../../store/sql-samples.ts";
import type * as table from "./log.table.ts";

const bytes = Buffer.from("sample");
const log = 1;

export const samples = {
  lockLog: [],
  selectLogs: [],
  insertLog: [{ number: log, origin: "assay.example.com/assay/Ab3dEf9h", opened_at: nowMs, reason: "the first log of this installation" }],
  selectNewestCheckpoint: [log],
  selectCheckpointFrom: [{ log, size: 300 }],
  selectCheckpoints: [{ log, afterSize: 0, limit: 500 }],
  insertCheckpoint: [{ log, size: 300, root: bytes, note: "a signed note", at: nowMs }],
  selectCosignatures: [{ log, size: 300 }],
  selectNewestCosignatures: [{ log, limit: 1 }],
  insertCosignature: [{ log, size: 300, witness: "witness.example.com", line: "a line", at: nowMs }],
  insertTiles: [[{ log, level: 0, n: 0, root: bytes, hashes: bytes }]],
  selectTile: [{ log, level: 0, n: 0 }],
  selectTileRoots: [{ log, level: 0, fromN: 0, toN: 255 }],
  selectTiles: [{ log, level: 0, fromN: 0, limit: 64 }],
  insertRuns: [[{ log, first_index: 0, account_id: accountId, first_seq: 1, count: 300 }]],
  selectRunOf: [{ log, accountId, seq: 7 }],
  selectRuns: [{ log, fromIndex: 0, limit: 500 }],
  selectUnlogged: [{ log, afterId: "", limit: 300 }],
  selectHashes: [
    [
      { accountId, afterSeq: 0, toSeq: 9 },
      { accountId: "acct_other", afterSeq: 7, toSeq: 8 },
    ],
  ],
  selectRunsOver: [{ log, fromIndex: 256, toIndex: 300 }],
  countEntries: [],
} satisfies SamplesOf<typeof table>;
