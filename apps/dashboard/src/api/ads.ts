import type { AdReply, NoFillReason } from "@assay/contract/ads.ts";
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

export type AdTried = { kind: "ad"; ad: AdReply } | { kind: "no_fill"; reason: NoFillReason };

/** What a test key would get: an ad, or why there is none. */
async function tryAd(request: PlaygroundAdRequest): Promise<AdTried> {
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

/** Asked once for each choice: every request counts in the account's test windows. */
export const tryAdQuery = (request: PlaygroundAdRequest) =>
  queryOptions({
    queryKey: ["ads", "try", request],
    queryFn: () => tryAd(request),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
