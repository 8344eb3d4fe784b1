import type { ModelComparison, OperatorComparison, OperatorModels } from "@assay/contract/dashboard/models.ts";
import { queryOptions } from "@tanstack/react-query";
import { alwaysStale, operatorKey } from "./operator.ts";
import { read, write } from "./request.ts";

/** The account's own sessions. */
export const ownComparisonQuery = (version: string) =>
  queryOptions({ queryKey: ["models", "comparison", version], queryFn: ({ signal }) => read<ModelComparison>("models/comparison", { query: { version }, signal }) });

export const modelsQuery = queryOptions({ ...alwaysStale, queryKey: [...operatorKey, "models"], queryFn: ({ signal }) => read<OperatorModels>("operator/models", { signal }) });

export const comparisonQuery = (filter: { version: string; account: string | undefined }) =>
  queryOptions({
    queryKey: [...operatorKey, "models", "comparison", filter.version, filter.account],
    queryFn: ({ signal }) => read<OperatorComparison>("operator/models/comparison", { query: { version: filter.version, account_id: filter.account }, signal }),
  });

export const setShadow = (version: string | null) => write<OperatorModels>("PUT", "operator/models/shadow", { version });
