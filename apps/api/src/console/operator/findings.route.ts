import {
  DecideFindingReply,
  DecideFindingRequest,
  FindingParams,
  FindingsReply,
  OpenFindingRequest,
  ReopenFindingRequest,
} from "@assay/contract/dashboard/integrity.ts";
import { AccountParams, PendingClicksReply, ReverseClicksReply, ReverseClicksRequest } from "@assay/contract/dashboard/operator.ts";
import { selectCampaignNames } from "../../ads/campaigns/campaigns.table.ts";
import { selectPendingClicks } from "../../ads/clicks/clicks.table.ts";
import { reverseClicks } from "../../ads/clicks/reverse-clicks.ts";
import { usdOf } from "../../formats/money.ts";
import { isoTime } from "../../formats/time.ts";
import type { TypedApp } from "../../http/typed-app.ts";
import { openOperatorFinding, reopenFinding } from "../../money/findings/change-finding.ts";
import { listFindings } from "../../money/findings/list-findings.ts";
import { decideFinding } from "../../scoring/traffic/close-finding.ts";
import type { OperatorContext } from "./operator-context.ts";

const clicksShown = 500;

export function addFindingRoutes(app: TypedApp, { store, nowMs, wakeMailer, payoutFourEyes: fourEyes }: OperatorContext): void {
  const list = () => listFindings(store, { accountId: undefined, nowMs: nowMs() });

  app.get("/findings", { schema: { hide: true, response: { 200: FindingsReply } }, handler: list });
  app.post("/findings", {
    schema: { hide: true, body: OpenFindingRequest, response: { 201: FindingsReply } },
    async handler({ signedIn: { accountId: actorAccountId }, body }, reply) {
      const { account_id: accountId, reason, days = [] } = body;
      await openOperatorFinding(store, { accountId, reason: reason.trim(), days, actorAccountId, fourEyes, nowMs: nowMs() });
      wakeMailer();
      return reply.code(201).send(await list());
    },
  });
  app.post("/findings/:finding_id/decide", {
    schema: { hide: true, params: FindingParams, body: DecideFindingRequest, response: { 200: DecideFindingReply } },
    async handler({ signedIn: { accountId: actorAccountId }, params, body }) {
      const { decision, reason, reverse } = body;
      const order = { findingId: params.finding_id, decision, reason: reason.trim(), reverse, actorAccountId, fourEyes, nowMs: nowMs() };
      const reversed = await decideFinding(store, order);
      wakeMailer();
      return { ...(await list()), reversed_calls: reversed.calls, reversed_usd: usdOf(reversed.developerMicroUsd) };
    },
  });
  app.post("/findings/:finding_id/reopen", {
    schema: { hide: true, params: FindingParams, body: ReopenFindingRequest, response: { 200: FindingsReply } },
    async handler({ signedIn: { accountId: actorAccountId }, params, body }) {
      await reopenFinding(store, { findingId: params.finding_id, reason: body.reason.trim(), actorAccountId, fourEyes, nowMs: nowMs() });
      wakeMailer();
      return list();
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
      const reversal = { offerIds: body.offer_ids, reason: body.reason, actorAccountId: signedIn.accountId, fourEyes, nowMs: nowMs() };
      const outcomes = await reverseClicks(store, reversal);
      return { outcomes: outcomes.map(({ offerId, outcome }) => ({ offer_id: offerId, outcome })) };
    },
  });
}
