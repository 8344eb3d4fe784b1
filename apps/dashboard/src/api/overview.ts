import type { LiveReply, OverviewReply } from "@assay/contract/dashboard/overview.ts";
import { queryOptions } from "@tanstack/react-query";
import { read } from "./request.ts";

const overviewRefreshMs = 15_000;
/** As the contract allows: once per second while the page is visible. */
const liveRefreshMs = 1_000;

export const overviewQuery = queryOptions({
  queryKey: ["overview"],
  queryFn: ({ signal }) => read<OverviewReply>("overview", { signal }),
  refetchInterval: overviewRefreshMs,
});

export const liveQuery = queryOptions({
  queryKey: ["live"],
  queryFn: ({ signal }) => read<LiveReply>("live", { signal }),
  refetchInterval: liveRefreshMs,
});
