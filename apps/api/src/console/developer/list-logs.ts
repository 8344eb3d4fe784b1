import { logDays, type LogItem, logsPageMax, type LogsQuery, type LogsReply } from "@assay/contract/dashboard/logs.ts";
import { type LogFilter, selectLogs, selectLogScanEnd, selectLogsOfRequest } from "../../access/requests/requests.table.ts";
import { Failure } from "../../failure/failure.ts";
import { isoTime, msPerDay } from "../../formats/time.ts";
import { lowestIdAt } from "../../ids/time-ordered-id.ts";
import type { ReportSource } from "../../store/reports/report-source.ts";
import { parsePageLimit } from "./page-and-download.ts";

const limitDefault = 50;
/** Lines scanned per filtered page. */
const scanMax = 5_000;
const cursorPattern = /^log_[0-9A-Za-z]{8,40}$/;

type LogRow = Awaited<ReturnType<ReturnType<typeof selectLogs>["execute"]>>[number];

/** An erased key keeps its id, so the line still shows that the call had one. */
const describeLog = (row: LogRow): LogItem => ({
  id: row.id,
  kind: row.request_id === null ? "summary" : "request",
  at: isoTime(row.at),
  request_id: row.request_id,
  method: row.method,
  endpoint: row.endpoint,
  key: row.key_id === "" ? null : { key_id: row.key_id, name: row.key_name ?? "", last_four: row.last_four ?? "", mode: row.mode ?? "live" },
  status: row.status,
  error: row.error,
  message: row.message,
  duration_ms: row.duration_ms,
  count: row.requests,
});

function filterOf({ status, key_id: keyId }: LogsQuery): LogFilter {
  if (status === undefined) return { statuses: undefined, keyId };
  const from = status.endsWith("xx") ? Number(status[0]) * 100 : Number(status);
  return { statuses: { from, to: status.endsWith("xx") ? from + 100 : from + 1 }, keyId };
}

type LogsContext = ReportSource & { nowMs: () => number };

export async function listLogs(context: LogsContext, accountId: string, query: LogsQuery): Promise<LogsReply> {
  const { db } = context;
  const limit = parsePageLimit(query.limit, { fallback: limitDefault, max: logsPageMax });
  if (query.cursor !== undefined && !cursorPattern.test(query.cursor)) throw new Failure("invalid_request", "cursor must be a next_cursor of this list");
  const filter = filterOf(query);
  const scan = filter.statuses === undefined && filter.keyId === undefined ? limit : scanMax;
  const page = { accountId, fromId: lowestIdAt("log", context.nowMs() - logDays * msPerDay), toId: query.cursor ?? "log_~", scan };
  const rows = await selectLogs(db, { ...page, limit, filter }).execute();
  const last = rows.length === limit ? rows.at(-1)!.id : (await selectLogScanEnd(db, page).executeTakeFirst())?.id;
  return { logs: rows.map(describeLog), next_cursor: last ?? null };
}

/** The id names one request, so other filters are ignored. */
export async function findLog({ db }: ReportSource, request: { accountId: string; requestId: string }): Promise<LogsReply> {
  const rows = await selectLogsOfRequest(db, request).execute();
  return { logs: rows.map(describeLog), next_cursor: null };
}
