import { accountId, nowMs, span, type SamplesOf } from "../../store/sql-samples.ts";
import type * as table from "./requests.table.ts";

export const samples = {
  addToRequestHours: [[{ account_id: accountId, hour: nowMs, endpoint: "predict", key_id: "key_sample", status: 200, requests: 1 }]],
  insertLogs: [
    [
      {
        account_id: accountId,
        id: "log_sample",
        at: nowMs,
        request_id: "req_sample",
        method: "POST",
        endpoint: "/api/ml/predict",
        key_id: "key_sample",
        status: 200,
        error: null,
        message: null,
        duration_ms: 0.4,
        requests: 1,
      },
    ],
  ],
  sumRequestsByTime: [{ ...span, bucketMs: 3_600_000, group: "status" }],
  selectLogs: [{ accountId, fromId: "log_1", toId: "log_2", scan: 5_000, limit: 50, filter: { statuses: { from: 400, to: 500 }, keyId: "key_sample" } }],
  selectLogScanEnd: [{ accountId, fromId: "log_1", toId: "log_2", scan: 5_000 }],
  selectLogsOfRequest: [{ accountId, requestId: "req_sample" }],
  deleteLogsBefore: [{ atMs: nowMs, limit: 1_000 }],
  deleteRequestHoursBefore: [{ hourMs: nowMs, limit: 1_000 }],
} satisfies SamplesOf<typeof table>;
