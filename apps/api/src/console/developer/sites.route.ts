import { ChangeSiteRequest, NewSiteRequest, SiteItem, SiteParams, SitesReply } from "@assay/contract/dashboard/sites.ts";
import { firstSummedDay, listSites } from "../../attestation/sites/describe-site.ts";
import { changeSite, createSite, removeSite, unknownSite } from "../../attestation/sites/manage-sites.ts";
import { collectorUrlOf } from "../../attestation/sites/collector-url.ts";
import type { TypedApp } from "../../http/typed-app.ts";
import { sumAttestedCalls } from "../../money/ledger/ledger.table.ts";
import type { SignedIn } from "../../people/require-sign-in.ts";
import type { DeveloperContext } from "./developer-context.ts";

export type SitesContext = Pick<DeveloperContext, "store" | "nowMs"> & {
  /** PUBLIC_URL, or the address that the service listens at. */
  publicAddress: () => string;
};

export function addSiteRoutes(app: TypedApp, { store, nowMs, publicAddress }: SitesContext): void {
  const askedBy = ({ accountId }: SignedIn) => ({ accountId, actorAccountId: accountId, nowMs: nowMs() });

  async function describe(accountId: string, siteId: string): Promise<SiteItem> {
    const site = (await listSites(store, { accountId, nowMs: nowMs() })).find((each) => each.site_id === siteId);
    if (!site) throw unknownSite();
    return site;
  }

  app.get("/sites", {
    schema: { hide: true, response: { 200: SitesReply } },
    async handler({ signedIn: { accountId } }) {
      const atMs = nowMs();
      const [sites, calls] = await Promise.all([
        listSites(store, { accountId, nowMs: atMs }),
        sumAttestedCalls(store.db, { accountId, fromMs: firstSummedDay(atMs), toMs: atMs }).executeTakeFirstOrThrow(),
      ]);
      return { sites, script_url: collectorUrlOf(publicAddress()), calls };
    },
  });
  app.post("/sites", {
    schema: { hide: true, body: NewSiteRequest, response: { 201: SiteItem } },
    async handler({ signedIn, body }, reply) {
      const { siteId } = await createSite(store, { ...askedBy(signedIn), ...body });
      return reply.code(201).send(await describe(signedIn.accountId, siteId));
    },
  });
  app.patch("/sites/:site_id", {
    schema: { hide: true, params: SiteParams, body: ChangeSiteRequest, response: { 200: SiteItem } },
    async handler({ signedIn, params, body }) {
      await changeSite(store, { ...askedBy(signedIn), ...body, siteId: params.site_id });
      return describe(signedIn.accountId, params.site_id);
    },
  });
  app.delete("/sites/:site_id", {
    schema: { hide: true, params: SiteParams, response: { 200: SiteItem } },
    async handler({ signedIn, params }) {
      const site = await describe(signedIn.accountId, params.site_id);
      await removeSite(store, { ...askedBy(signedIn), siteId: params.site_id });
      return site;
    },
  });
}
