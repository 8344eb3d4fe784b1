import type { DashboardUsageQuery, DashboardUsageReply } from "@assay/contract/dashboard/usage.ts";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { addressOf, read } from "./request.ts";

export const usageQuery = (query: DashboardUsageQuery) =>
  queryOptions({
    queryKey: ["usage", query],
    queryFn: ({ signal }) => read<DashboardUsageReply>("usage", { query, signal }),
    placeholderData: keepPreviousData,
  });

export const usageCsvAddress = (query: DashboardUsageQuery): string => addressOf("usage.csv", query);
