import {
  AccountParams,
  CloseFindingRequest,
  FindingParams,
  FindingsReply,
  PendingClicksReply,
  ReverseClicksReply,
  ReverseClicksRequest,
} from "@assay/contract/dashboard/operator.ts";
import { selectCampaignNames } from "../../ads/campaigns/campaigns.table.ts";
import { selectPendingClicks } from "../../ads/clicks/clicks.table.ts";
import { closeFinding, selectFindings } from "../../money/findings/findings.table.ts";
import { reverseClicks } from "../../ads/clicks/reverse-clicks.ts";
import { Failure } from "../../failure/failure.ts";
import { usdOf } from "../../formats/money.ts";
import { isoTime, isoTimeOrNull } from "../../formats/time.ts";
import type { TypedApp } from "../../http/typed-app.ts";
import { noteAction } from "../../register/audit.table.ts";
import { emailsOf } from "./emails-of.ts";
import type { OperatorContext } from "./operator-context.ts";

const findingsShown = 500;
const clicksShown = 500;

export function addFindingRoutes(app: TypedApp, { store, nowMs }: OperatorContext): void {
  async function listFindings() {
    const rows = await selectFindings(store.db, { accountId: undefined, limit: findingsShown }).execute();
    const emails = await emailsOf(store, rows.map((row) => row.account_id));
    return rows.map((row) => ({
      ...row,
      email: emails.get(row.account_id) ?? null,
      opened_at: isoTime(row.opened_at),
      closed_at: isoTimeOrNull(row.closed_at),
    }));
  }

  app.get("/findings", {
    schema: { hide: true, response: { 200: FindingsReply } },
    handler: async () => ({ findings: await listFindings() }),
  });
  app.post("/findings/:finding_id/close", {
    schema: { hide: true, params: FindingParams, body: CloseFindingRequest, response: { 200: FindingsReply } },
    async handler({ signedIn, params, body }) {
      const { resolution } = body;
      const change = { findingId: params.finding_id, resolution, nowMs: nowMs() };
      const note = { actorAccountId: signedIn.accountId, action: "finding.close", subject: change.findingId, detail: { resolution }, nowMs: change.nowMs };
      const open = (await listFindings()).find((each) => each.id === change.findingId);
      if (!open) throw new Failure("not_found", "No finding has this id.");
      if (open.closed_at !== null) throw new Failure("invalid_request", "The finding is closed.");
      await store.write([closeFinding(store.db, change), noteAction(store.db, { ...note, accountId: open.account_id })]);
      return { findings: await listFindings() };
    },
  });
  app.get("/accounts/:account_id/clicks", {
    schema: { hide: true, params: AccountParams, response: { 200: PendingClicksReply } },
    async handler({ params }) {
      const rows = await selectPendingClicks(store.db, { accountId: params.account_id, limit: clicksShown }).execute();
      const campaignIds = [...new Set(rows.map((row) => row.campaign_id))];
      const campaigns = campaignIds.length === 0 ? [] : await selectCampaignNames(store.db, campaignIds).execute();
      const nameOf = new Map(campaigns.map(({ id, name }) => [id, name]));
      return {
        clicks: rows.map((row) => ({
          offer_id: row.offer_id,
          campaign_id: row.campaign_id,
          campaign: nameOf.get(row.campaign_id) ?? null,
          placement: row.placement,
          trust_band: row.trust_band,
          at: isoTime(row.at),
          price_usd: usdOf(row.price_micro),
          developer_usd: usdOf(row.developer_micro),
        })),
      };
    },
  });
  app.post("/clicks/reverse", {
    schema: { hide: true, body: ReverseClicksRequest, response: { 200: ReverseClicksReply } },
    async handler({ signedIn, body }) {
      const reversal = { offerIds: body.offer_ids, reason: body.reason, actorAccountId: signedIn.accountId, nowMs: nowMs() };
      const outcomes = await reverseClicks(store, reversal);
      return { outcomes: outcomes.map(({ offerId, outcome }) => ({ offer_id: offerId, outcome })) };
    },
  });
}
