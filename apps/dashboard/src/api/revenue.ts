import type { CorrectionsReply } from "@assay/contract/dashboard/corrections.ts";
import type { RevenueReply, StatementsReply } from "@assay/contract/dashboard/revenue.ts";
import type { StatementReply } from "@assay/contract/usage.ts";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { urlOf, read } from "./request.ts";

export const revenueQuery = (query: { from?: string; to?: string }) =>
  queryOptions({
    queryKey: ["revenue", query],
    queryFn: ({ signal }) => read<RevenueReply>("revenue", { query, signal }),
    placeholderData: keepPreviousData,
  });

export const ownCorrectionsQuery = queryOptions({ queryKey: ["corrections"], queryFn: ({ signal }) => read<CorrectionsReply>("corrections", { signal }) });

export const statementsQuery = queryOptions({
  queryKey: ["statements"],
  queryFn: ({ signal }) => read<StatementsReply>("statements", { signal }),
});

export const statementQuery = (month: string) =>
  queryOptions({ queryKey: ["statement", month], queryFn: ({ signal }) => read<StatementReply>(`statements/${month}`, { signal }) });

export const statementUrl = (month: string, format: "csv" | "pdf"): string => urlOf(`statements/${month}.${format}`);
