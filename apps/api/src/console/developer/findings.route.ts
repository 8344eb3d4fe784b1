import { AcceptFindingRequest, AnswerFindingRequest, FindingParams, OwnFindingsReply } from "@assay/contract/dashboard/integrity.ts";
import { usdOf } from "../../formats/money.ts";
import type { TypedApp } from "../../http/typed-app.ts";
import { answerOwnFinding } from "../../money/findings/change-finding.ts";
import { describeFinding } from "../../money/findings/describe-finding.ts";
import { selectFindings } from "../../money/findings/findings.table.ts";
import { acceptFinding } from "../../scoring/traffic/close-finding.ts";
import { createAcceptancePreviews } from "../../scoring/traffic/preview-acceptance.ts";
import type { DeveloperContext } from "./developer-context.ts";

const findingsShown = 100;

/** The account's own findings. An operator decides them; the developer answers, or accepts what a check found. */
export function addOwnFindingRoutes(app: TypedApp, { store, nowMs }: DeveloperContext): void {
  const previewAcceptance = createAcceptancePreviews(store);

  async function listOwn(accountId: string): Promise<OwnFindingsReply> {
    const rows = await selectFindings(store.db, { accountId, limit: findingsShown }).execute();
    const findings = [];
    for (const row of rows) {
      const { sums, refused } = await previewAcceptance(row, nowMs());
      const accept = sums && { calls: sums.calls, developer_usd: usdOf(sums.developerMicroUsd) };
      findings.push({ ...describeFinding(row), accept, accept_refused: refused });
    }
    return { findings };
  }

  app.get("/findings", {
    schema: { hide: true, response: { 200: OwnFindingsReply } },
    handler: ({ signedIn }) => listOwn(signedIn.accountId),
  });
  app.post("/findings/:finding_id/answer", {
    config: { readsMany: true },
    schema: { hide: true, params: FindingParams, body: AnswerFindingRequest, response: { 200: OwnFindingsReply } },
    async handler({ signedIn: { accountId }, params, body }) {
      await answerOwnFinding(store, { findingId: params.finding_id, accountId, text: body.text.trim(), nowMs: nowMs() });
      return listOwn(accountId);
    },
  });
  app.post("/findings/:finding_id/accept", {
    config: { readsMany: true },
    schema: { hide: true, params: FindingParams, body: AcceptFindingRequest, response: { 200: OwnFindingsReply } },
    async handler({ signedIn: { accountId }, params }) {
      await acceptFinding(store, { findingId: params.finding_id, accountId, nowMs: nowMs() });
      return listOwn(accountId);
    },
  });
}
