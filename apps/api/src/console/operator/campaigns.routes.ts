import {
  AdsReportQuery,
  AdsReportReply,
  AdvertiserRequest,
  AdvertisersReply,
  CampaignConversionsReply,
  CampaignOwner,
  CampaignReply,
  CampaignsReply,
  CampaignTokenReply,
  IdParams,
  PreviewReply,
  SavedReply,
  ServingReply,
  StateRequest,
  VerdictRequest,
} from "@assay/contract/dashboard/campaigns.ts";
import multipart from "@fastify/multipart";
import type { FastifyRequest } from "fastify";
import Type from "typebox";
import { selectAdvertisers, selectCampaign, selectCampaigns, selectCreativesOf, selectImagesOf } from "../../ads/campaigns/campaigns.table.ts";
import {
  type CampaignOutcome,
  changeAdvertiser,
  createAdvertiser,
  createCampaign,
  createCreative,
  editCampaign,
  judgeCreative,
  moveCampaignTo,
} from "../../ads/campaigns/change-campaign.ts";
import { describeCampaign, describeCreatives } from "../../ads/campaigns/describe-campaign.ts";
import { explainCampaign } from "../../ads/campaigns/explain-campaign.ts";
import type { Inventory } from "../../ads/campaigns/follow-inventory.ts";
import { ImageRefused } from "../../ads/campaigns/inspect-image.ts";
import { placementsServed, prepareCard, prepareImage } from "../../ads/campaigns/prepare-image.ts";
import { type Fault, faultLine, validateAdvertiser, validateCampaign } from "../../ads/campaigns/validate-campaign.ts";
import { makeCampaignToken } from "../../ads/conversions/campaign-token.ts";
import { reportConversions } from "../../ads/conversions/report-conversions.ts";
import { parseGroupedSpan } from "../../ads/reports/report-groups.ts";
import { parseReportWindow, reportAds } from "../../ads/reports/report-ads.ts";
import { sumAdsOfCampaigns } from "../../ads/reports/report.table.ts";
import { Failure } from "../../failure/failure.ts";
import { isoTime } from "../../formats/time.ts";
import type { TypedApp } from "../../http/typed-app.ts";
import type { Store } from "../../store/store.ts";
import { emailsOf } from "./emails-of.ts";
import { readCreativeForm } from "./read-creative-form.ts";

export type CampaignsContext = {
  store: Store;
  inventory: Inventory;
  nowMs: () => number;
  /** Base address of images, without a trailing slash. */
  cdnUrl: () => string;
  /** The minimum price of a click. */
  floorMicroUsd: number;
};

const pageItems = 100;
const PageQuery = Type.Object({ after: Type.Optional(Type.String({ maxLength: 100 })) });
const ConversionsQuery = Type.Object({ from: Type.Optional(Type.String({ maxLength: 40 })), to: Type.Optional(Type.String({ maxLength: 40 })) });
/** Any of CampaignFields. The handler checks them: Fastify would report the first fault only. */
const CampaignPatch = Type.Record(Type.String(), Type.Unknown());

const refuse = (faults: readonly Fault[]): never => {
  throw new Failure("invalid_request", faults.map(faultLine).join("; "));
};
const unknown = (what: string) => new Failure("not_found", `There is no such ${what}.`);

/** Null on the last page. */
const nextOf = (rows: readonly { id: string }[]): string | null => (rows.length < pageItems ? null : rows.at(-1)!.id);

function savedCampaign(outcome: CampaignOutcome): { id: string } {
  switch (outcome.kind) {
    case "saved":
      return { id: outcome.id };
    case "unknown":
      throw unknown("campaign or advertiser");
    case "name_taken":
      throw new Failure("invalid_request", "name: the advertiser already has a campaign with this name");
    case "invalid":
      return refuse(outcome.faults);
  }
}

/** Who makes a change, and when, as the audit log records it. */
type ActorOf = (request: FastifyRequest) => { actorAccountId: string; nowMs: number };

function addAdvertiserRoutes(app: TypedApp, { store, inventory }: CampaignsContext, actorOf: ActorOf): void {
  const nameOf = (name: string): string => {
    const validated = validateAdvertiser(name);
    return validated.kind === "valid" ? validated.value : refuse(validated.faults);
  };
  const taken = () => new Failure("invalid_request", "name: an advertiser with this name already exists");
  app.get("/advertisers", {
    schema: { hide: true, querystring: PageQuery, response: { 200: AdvertisersReply } },
    async handler({ query }) {
      const rows = await selectAdvertisers(store.db, { afterId: query.after ?? "", limit: pageItems }).execute();
      const advertisers = rows.map(({ id, name, created_at }) => ({ id, name, created_at: isoTime(created_at) }));
      return { advertisers, next: nextOf(rows) };
    },
  });
  app.post("/advertisers", {
    schema: { hide: true, body: AdvertiserRequest, response: { 201: SavedReply } },
    async handler(request, reply) {
      const outcome = await createAdvertiser(store, nameOf(request.body.name), actorOf(request));
      if (outcome.kind !== "saved") throw taken();
      return reply.code(201).send({ id: outcome.id });
    },
  });
  app.patch("/advertisers/:id", {
    schema: { hide: true, params: IdParams, body: AdvertiserRequest, response: { 200: SavedReply } },
    async handler(request) {
      const outcome = await changeAdvertiser(store, { id: request.params.id, name: nameOf(request.body.name) }, actorOf(request));
      if (outcome.kind === "unknown") throw unknown("advertiser");
      if (outcome.kind === "name_taken") throw taken();
      await inventory.refresh();
      return { id: outcome.id };
    },
  });
}

function addCampaignRoutes(app: TypedApp, context: CampaignsContext, actorOf: ActorOf): void {
  const { store, nowMs, inventory, cdnUrl } = context;
  async function find(id: string) {
    const campaign = await selectCampaign(store.db, id).executeTakeFirst();
    if (!campaign) throw unknown("campaign");
    return campaign;
  }
  app.get("/campaigns", {
    schema: { hide: true, querystring: PageQuery, response: { 200: CampaignsReply } },
    async handler({ query }) {
      const rows = await selectCampaigns(store.db, { afterId: query.after ?? "", limit: pageItems }).execute();
      const sums = rows.length === 0 ? [] : await sumAdsOfCampaigns(store.db, rows.map(({ id }) => id)).execute();
      const figuresOf = new Map(sums.map((each) => [each.campaign_id, each]));
      return { campaigns: rows.map((row) => describeCampaign(row, figuresOf.get(row.id))), next: nextOf(rows) };
    },
  });
  app.post("/campaigns", {
    schema: { hide: true, body: CampaignOwner, response: { 201: SavedReply } },
    async handler(request, reply) {
      const { advertiser_id: advertiserId, ...fields } = request.body;
      const validated = validateCampaign(fields, nowMs());
      if (validated.kind === "invalid") return refuse(validated.faults);
      return reply.code(201).send(savedCampaign(await createCampaign(store, { advertiserId, input: validated.value }, actorOf(request))));
    },
  });
  app.get("/campaigns/:id", {
    schema: { hide: true, params: IdParams, response: { 200: CampaignReply } },
    async handler({ params: { id } }) {
      const campaign = await find(id);
      const [sums, creatives, images, serving] = await Promise.all([
        sumAdsOfCampaigns(store.db, [id]).executeTakeFirst(),
        selectCreativesOf(store.db, id).execute(),
        selectImagesOf(store.db, id).execute(),
        explainCampaign(context, campaign),
      ]);
      return { campaign: describeCampaign(campaign, sums), creatives: describeCreatives(creatives, images, cdnUrl()), serving };
    },
  });
  app.patch("/campaigns/:id", {
    schema: { hide: true, params: IdParams, body: CampaignPatch, response: { 200: SavedReply } },
    async handler(request) {
      const saved = savedCampaign(await editCampaign(store, { id: request.params.id, patch: request.body }, actorOf(request)));
      await inventory.refresh();
      return saved;
    },
  });
  app.post("/campaigns/:id/state", {
    schema: { hide: true, params: IdParams, body: StateRequest, response: { 200: SavedReply } },
    async handler(request) {
      const { id } = request.params;
      const { status: to } = request.body;
      const outcome = await moveCampaignTo(store, { id, to }, actorOf(request));
      if (outcome.kind === "unknown") throw unknown("campaign");
      if (outcome.kind === "not_from") throw new Failure("invalid_request", `status: a campaign that is ${outcome.status} cannot become ${to}`);
      await inventory.refresh();
      return { id };
    },
  });
  app.get("/campaigns/:id/serving", {
    schema: { hide: true, params: IdParams, response: { 200: ServingReply } },
    handler: async ({ params }) => explainCampaign(context, await find(params.id)),
  });
  app.get("/campaigns/:id/report", {
    schema: { hide: true, params: IdParams, querystring: AdsReportQuery, response: { 200: AdsReportReply } },
    async handler({ params, query }) {
      const { id } = await find(params.id);
      return reportAds(store, { campaignId: id }, parseReportWindow(query, nowMs()));
    },
  });
}

/** What advertisers report, with the token that they report it with. */
function addConversionRoutes(app: TypedApp, { store, nowMs }: CampaignsContext, actorOf: ActorOf): void {
  app.get("/campaigns/:id/conversions", {
    schema: { hide: true, params: IdParams, querystring: ConversionsQuery, response: { 200: CampaignConversionsReply } },
    async handler({ params: { id }, query }) {
      if (!(await selectCampaign(store.db, id).executeTakeFirst())) throw unknown("campaign");
      const report = await reportConversions(store, id, parseGroupedSpan(query, nowMs()));
      const emails = await emailsOf(store, report.developers.map(({ account_id }) => account_id));
      return { ...report, developers: report.developers.map((each) => ({ ...each, email: emails.get(each.account_id) ?? null })) };
    },
  });
  app.post("/campaigns/:id/token", {
    schema: { hide: true, params: IdParams, response: { 201: CampaignTokenReply } },
    async handler(request, reply) {
      const { id } = request.params;
      const made = await makeCampaignToken(store, id, actorOf(request));
      if (!made) throw unknown("campaign");
      return reply.code(201).header("cache-control", "no-store").send({ campaign_id: id, token: made.token, created_at: isoTime(made.createdMs) });
    },
  });
}

/** Turns a rejected image into a 4xx answer. */
async function translateImageError<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ImageRefused) throw new Failure(error.code === "too_large" ? "payload_too_large" : "invalid_request", `image: ${error.message}`);
    throw error;
  }
}

function addCreativeRoutes(app: TypedApp, { store, inventory }: CampaignsContext, actorOf: ActorOf): void {
  app.post("/campaigns/:id/creatives", {
    schema: { hide: true, params: IdParams, response: { 201: SavedReply } },
    async handler(request, reply) {
      const form = await readCreativeForm(request);
      const outcome = await translateImageError(() => createCreative(store, { campaignId: request.params.id, ...form }, actorOf(request)));
      switch (outcome.kind) {
        case "saved":
          return reply.code(201).send({ id: outcome.id });
        case "unknown":
          throw unknown("campaign");
        case "ended":
          throw new Failure("invalid_request", "The campaign has ended.");
        case "too_many":
          throw new Failure("invalid_request", "The campaign has the maximum number of creatives.");
      }
    },
  });
  app.patch("/creatives/:id", {
    schema: { hide: true, params: IdParams, body: VerdictRequest, response: { 200: SavedReply } },
    async handler(request) {
      const { id } = request.params;
      const outcome = await judgeCreative(store, { id, to: request.body.status }, actorOf(request));
      if (outcome.kind === "unknown") throw unknown("creative");
      if (outcome.kind === "not_pending") throw new Failure("invalid_request", `status: the creative is already ${outcome.status}`);
      await inventory.refresh();
      return { id };
    },
  });
  app.post("/creatives/preview", {
    schema: { hide: true, response: { 200: PreviewReply } },
    async handler(request) {
      const { input, image } = await readCreativeForm(request);
      const look = { format: input.format, placements: placementsServed([]) };
      const { headline, description, ctaText } = input;
      const card = () => prepareCard({ advertiser: "Advertiser", headline, description, ctaText }, look);
      const prepared = await translateImageError(() => (image === undefined ? card() : prepareImage(image, look)));
      const images = prepared.map(({ placement, width, height, content_type, bytes }) => {
        return { placement, width, height, data_url: `data:${content_type};base64,${Buffer.from(bytes).toString("base64")}` };
      });
      return { images };
    },
  });
}

/** The audit log records every change and who made it. */
export async function addCampaignsRoutes(app: TypedApp, context: CampaignsContext): Promise<void> {
  await app.register(async (scope: TypedApp) => {
    await scope.register(multipart);
    const actorOf: ActorOf = (request) => ({ actorAccountId: request.signedIn.accountId, nowMs: context.nowMs() });
    addAdvertiserRoutes(scope, context, actorOf);
    addCampaignRoutes(scope, context, actorOf);
    addConversionRoutes(scope, context, actorOf);
    addCreativeRoutes(scope, context, actorOf);
  });
}
