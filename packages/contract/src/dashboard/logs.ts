/** `GET /dashboard/api/logs`: the account's recent requests, kept for 7 days and without bodies. */
import Type, { type Static } from "typebox";

export const logsPageMax = 200;
export const logDays = 7;

export const LogsQuery = Type.Object({
  cursor: Type.Optional(Type.String({ maxLength: 64, description: "next_cursor of the previous page." })),
  limit: Type.Optional(Type.String({ pattern: "^\\d{1,3}$", description: `1 to ${logsPageMax}. Default: 50.` })),
  status: Type.Optional(Type.String({ pattern: "^([1-5]\\d\\d|[1-5]xx)$", description: "One status such as 429, or a class such as 4xx." })),
  key_id: Type.Optional(Type.String({ maxLength: 64 })),
  request_id: Type.Optional(Type.String({ maxLength: 64, description: "Value of X-Request-Id." })),
});

export type LogsQuery = Static<typeof LogsQuery>;

const LogItem = Type.Object({
  id: Type.String(),
  kind: Type.Enum(["request", "summary"], {
    description: "summary: `count` more requests with this key, endpoint and status in the minute of `at`, counted rather than stored one by one.",
  }),
  at: Type.String({ format: "date-time" }),
  request_id: Type.Union([Type.String(), Type.Null()], { description: "Null for a summary." }),
  method: Type.String(),
  endpoint: Type.String({ description: "The route's pattern, never the URL as received." }),
  key: Type.Union(
    [Type.Object({ key_id: Type.String(), name: Type.String(), last_four: Type.String(), mode: Type.Enum(["live", "test"]) }), Type.Null()],
    { description: "Null for a call from the playground." },
  ),
  status: Type.Integer(),
  error: Type.Union([Type.String(), Type.Null()], { description: "Error code of the answer; null for a success." }),
  message: Type.Union([Type.String(), Type.Null()]),
  duration_ms: Type.Union([Type.Number(), Type.Null()], { description: "Null for a summary." }),
  count: Type.Integer({ minimum: 1, description: "1 for a request." }),
});

export type LogItem = Static<typeof LogItem>;

export const LogsReply = Type.Object({
  logs: Type.Array(LogItem, { description: "The newest first. Written about once a second." }),
  next_cursor: Type.Union([Type.String(), Type.Null()], {
    description: "Null at the end. A filtered page may be short or empty and still have a next page.",
  }),
});

export type LogsReply = Static<typeof LogsReply>;
