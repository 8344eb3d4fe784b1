import type {
  AdsReportReply,
  AdvertisersReply,
  CampaignConversionsReply,
  CampaignReply,
  CampaignRequest,
  CampaignsReply,
  CampaignTokenReply,
  PreviewReply,
  ServingReply,
} from "@assay/contract/dashboard/campaigns.ts";
import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { read, write } from "./request.ts";

type Saved = { id: string };

const servingStaleMs = 30_000;
const pathOf = (campaignId: string, action = "") => `operator/campaigns/${encodeURIComponent(campaignId)}${action}`;

export const campaignsQuery = infiniteQueryOptions({
  queryKey: ["operator", "campaigns"],
  queryFn: ({ pageParam, signal }) => read<CampaignsReply>("operator/campaigns", { query: { after: pageParam }, signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page) => page.next ?? undefined,
});

export const campaignQuery = (campaignId: string) =>
  queryOptions({ staleTime: 0, queryKey: ["operator", "campaign", campaignId], queryFn: ({ signal }) => read<CampaignReply>(pathOf(campaignId), { signal }) });

export const servingQuery = (campaignId: string) =>
  queryOptions({
    queryKey: ["operator", "serving", campaignId],
    queryFn: ({ signal }) => read<ServingReply>(pathOf(campaignId, "/serving"), { signal }),
    staleTime: servingStaleMs,
  });

export const campaignReportQuery = (campaignId: string, query: { from: string; by: "hour" | "day" }) =>
  queryOptions({
    queryKey: ["operator", "campaign-report", campaignId, query],
    queryFn: ({ signal }) => read<AdsReportReply>(pathOf(campaignId, "/report"), { query, signal }),
    placeholderData: keepPreviousData,
  });

export const campaignConversionsQuery = (campaignId: string, query: { from: string }) =>
  queryOptions({
    queryKey: ["operator", "campaign-conversions", campaignId, query],
    queryFn: ({ signal }) => read<CampaignConversionsReply>(pathOf(campaignId, "/conversions"), { query, signal }),
    placeholderData: keepPreviousData,
  });

export const makeCampaignToken = (campaignId: string) => write<CampaignTokenReply>("POST", pathOf(campaignId, "/token"));

/** Reads all pages, because the campaign form lists every advertiser. */
async function readAdvertisers(signal: AbortSignal) {
  const all: AdvertisersReply["advertisers"] = [];
  for (let after: string | undefined; ; ) {
    const page = await read<AdvertisersReply>("operator/advertisers", { query: { after }, signal });
    all.push(...page.advertisers);
    if (page.next === null) return all;
    after = page.next;
  }
}

export const advertisersQuery = queryOptions({ queryKey: ["operator", "advertisers"], queryFn: ({ signal }) => readAdvertisers(signal) });

export const createAdvertiser = (name: string) => write<Saved>("POST", "operator/advertisers", { name });
export const createCampaign = (body: CampaignRequest) => write<Saved>("POST", "operator/campaigns", body);
export const editCampaign = ({ campaignId, patch }: { campaignId: string; patch: Partial<CampaignRequest> }) => write<Saved>("PATCH", pathOf(campaignId), patch);
export const moveCampaign = ({ campaignId, status }: { campaignId: string; status: "active" | "paused" | "ended" }) =>
  write<Saved>("POST", pathOf(campaignId, "/state"), { status });
export const addCreative = ({ campaignId, form }: { campaignId: string; form: FormData }) => write<Saved>("POST", pathOf(campaignId, "/creatives"), form);
export const previewCreative = (form: FormData) => write<PreviewReply>("POST", "operator/creatives/preview", form);
export const reviewCreative = ({ creativeId, status }: { creativeId: string; status: "approved" | "rejected" }) =>
  write<Saved>("PATCH", `operator/creatives/${encodeURIComponent(creativeId)}`, { status });
