import type { DashboardUsageQuery, DashboardUsageReply } from "@assay/contract/dashboard/usage.ts";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { urlOf, read } from "./request.ts";

export const usageQuery = (query: DashboardUsageQuery) =>
  queryOptions({
    queryKey: ["usage", query],
    queryFn: ({ signal }) => read<DashboardUsageReply>("usage", { query, signal }),
    placeholderData: keepPreviousData,
  });

export const usageCsvUrl = (query: DashboardUsageQuery): string => urlOf("usage.csv", query);
