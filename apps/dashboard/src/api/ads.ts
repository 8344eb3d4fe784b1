import type { AdReply, NoFillReason } from "@assay/contract/ads.ts";
import type { GroupedReportReply } from "@assay/contract/ads-report.ts";
import type { AdsReportReply } from "@assay/contract/dashboard/campaigns.ts";
import type { PlaygroundAdRequest } from "@assay/contract/dashboard/playground.ts";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { requestAdFromPlayground } from "./playground.ts";
import { ApiError, read } from "./request.ts";

export const adsReportQuery = (query: { from: string; by: "hour" | "day" }) =>
  queryOptions({
    queryKey: ["ads", "report", query],
    queryFn: ({ signal }) => read<AdsReportReply>("ads/report", { query, signal }),
    placeholderData: keepPreviousData,
  });

export const adsGroupsQuery = (query: { group_by: GroupedReportReply["group_by"]; from: string }) =>
  queryOptions({
    queryKey: ["ads", "groups", query],
    queryFn: ({ signal }) => read<GroupedReportReply>("ads/groups", { query, signal }),
    placeholderData: keepPreviousData,
  });

export type AdResult = { kind: "ad"; ad: AdReply } | { kind: "no_fill"; reason: NoFillReason };

/** Requests an ad in test mode. */
async function requestTestAd(request: PlaygroundAdRequest): Promise<AdResult> {
  const { status, headers, body } = await requestAdFromPlayground(request);
  const headerOf = (wanted: string) => headers.find(({ name }) => name === wanted)?.value;
  if (status === 200) return { kind: "ad", ad: JSON.parse(body) as AdReply };
  if (status === 204) return { kind: "no_fill", reason: headerOf("assay-no-fill") as NoFillReason };
  const failure = JSON.parse(body) as { error: string; message: string };
  const retryAfter = Number(headerOf("retry-after") ?? Number.NaN);
  throw new ApiError({
    status,
    code: failure.error,
    message: failure.message,
    requestId: headerOf("x-request-id"),
    retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : undefined,
  });
}

/** Never refetched automatically, because every request counts against the account's test limits. */
export const testAdQuery = (request: PlaygroundAdRequest) =>
  queryOptions({
    queryKey: ["ads", "try", request],
    queryFn: () => requestTestAd(request),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
