import { AdReply, AdRequest, type NoFillReason, noFillReasons } from "@assay/contract/ads.ts";
import type { FastifyReply, FastifyRequest } from "fastify";
import Type from "typebox";
import { keyedFailures } from "../../http/describe-failures.ts";
import type { TypedApp } from "../../http/typed-app.ts";
import type { createAdRequests } from "./request-ad.ts";

// Answers through `reply` instead of an async handler: this saves a promise per call on the hot path.
const answerAdRequest =
  (requestAd: ReturnType<typeof createAdRequests>) =>
  (request: FastifyRequest<{ Body: AdRequest }>, reply: FastifyReply): void => {
    const sendNoFill = (reason: NoFillReason) => reply.code(204).header("assay-no-fill", reason).send();
    if (request.testScenario === "no_fill") {
      sendNoFill("test_scenario");
      return;
    }
    requestAd(request.caller, request.body, {
      settle(outcome) {
        if (outcome.kind === "no_fill") sendNoFill(outcome.reason);
        else reply.header("content-type", "application/json; charset=utf-8").send(outcome.body);
      },
      fail(error) {
        reply.send(error);
      },
    });
  };

export function addRequestAdRoute(app: TypedApp, requestAd: ReturnType<typeof createAdRequests>): void {
  app.post("/api/ads/request", {
    schema: {
      operationId: "requestAd",
      summary: "Ask for an ad",
      description:
        "Free of charge. The ad can be clicked for 2 hours; a valid click pays `estimated_revenue`. " +
        "Without an ad, the answer is 204 and `Assay-No-Fill` gives the reason.",
      tags: ["Ads"],
      security: [{ apiKey: [] }],
      body: AdRequest,
      response: {
        200: AdReply,
        204: Type.Null({ description: `No ad. \`Assay-No-Fill\` is one of ${noFillReasons.map((reason) => `\`${reason}\``).join(", ")}.` }),
        ...keyedFailures({ billable: false, hasBody: true }),
      },
    },
    handler: answerAdRequest(requestAd),
  });
}
