import type { ChangeSiteRequest, NewSiteRequest, SiteItem, SitesReply } from "@assay/contract/dashboard/sites.ts";
import { queryOptions } from "@tanstack/react-query";
import { read, write } from "./request.ts";

export const sitesQuery = queryOptions({ queryKey: ["sites"], queryFn: ({ signal }) => read<SitesReply>("sites", { signal }), refetchInterval: 20_000 });

const pathOf = (siteId: string) => `sites/${encodeURIComponent(siteId)}`;

export const createSite = (body: NewSiteRequest) => write<SiteItem>("POST", "sites", body);
export const changeSite = ({ siteId, ...body }: ChangeSiteRequest & { siteId: string }) => write<SiteItem>("PATCH", pathOf(siteId), body);
export const removeSite = (siteId: string) => write<unknown>("DELETE", pathOf(siteId));
