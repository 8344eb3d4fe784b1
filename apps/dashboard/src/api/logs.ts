import type { LogsQuery, LogsReply } from "@assay/contract/dashboard/logs.ts";
import { infiniteQueryOptions } from "@tanstack/react-query";
import { read } from "./request.ts";

export type LogFilter = Omit<LogsQuery, "cursor" | "limit">;

export const logsQuery = (filter: LogFilter) =>
  infiniteQueryOptions({
    queryKey: ["logs", filter],
    queryFn: ({ pageParam, signal }) => read<LogsReply>("logs", { query: { ...filter, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });
