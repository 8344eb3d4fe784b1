import { PlaygroundAdRequest, PlaygroundReply, PlaygroundRequest } from "@assay/contract/dashboard/playground.ts";
import type { Caller } from "../../access/keys/caller.ts";
import { overloaded } from "../../failure/failure.ts";
import type { TypedApp } from "../../http/typed-app.ts";
import { selectOwnAccount } from "../../register/accounts.table.ts";
import { selectTierByName } from "../../register/tiers.table.ts";
import { readActiveCalibration } from "../../scoring/calibration/read-active.ts";
import type { Store } from "../../store/store.ts";
import type { DeveloperContext } from "./developer-context.ts";

const shownHeaders = ["content-type", "x-request-id", "ratelimit-policy", "ratelimit", "retry-after", "assay-receipt", "assay-no-fill", "idempotent-replayed"];

/** The caller of a test key of the account: Starter's limits, not billed. */
async function testCallerOf(store: Store, accountId: string): Promise<Caller> {
  const [tier, account, calibration] = await Promise.all([
    selectTierByName(store.db, "Starter").executeTakeFirstOrThrow(),
    selectOwnAccount(store.db, accountId).executeTakeFirstOrThrow(),
    readActiveCalibration(store, accountId),
  ]);
  return {
    keyId: "",
    accountId,
    mode: "test",
    quota: { perHour: tier.per_hour, perMinute: tier.per_minute },
    limitSubject: `${accountId}:test`,
    shareBps: tier.share_bps,
    houseAds: account.house_ads === 1,
    pinnedModel: account.model_version,
    accountCreatedMs: account.created_at,
    calibration,
    expiresAtMs: undefined,
  };
}

type TestCall = { path: string; payload: unknown; headers?: Record<string, string> };

/** Makes the same calls as a developer would, through the same hooks and handlers, without a key in the browser. */
export function addPlaygroundRoute(app: TypedApp, context: DeveloperContext): void {
  const { store, tickets } = context;

  async function call(accountId: string, { path, payload, headers: more }: TestCall): Promise<PlaygroundReply> {
    const ticket = tickets.issue(await testCallerOf(store, accountId));
    if (ticket === undefined) throw overloaded("too many concurrent playground calls");
    try {
      const answer = await app.inject({
        method: "POST",
        url: path,
        headers: { "content-type": "application/json", "x-api-key": ticket, ...more },
        payload: JSON.stringify(payload),
      });
      const headers = shownHeaders.flatMap((name) => {
        const value = answer.headers[name];
        return value === undefined ? [] : [{ name, value: String(value) }];
      });
      return { method: "POST" as const, path, status: answer.statusCode, headers, body: answer.body };
    } finally {
      tickets.revoke(ticket);
    }
  }

  app.post("/playground/send", {
    schema: { hide: true, body: PlaygroundRequest, response: { 200: PlaygroundReply } },
    handler: ({ body, signedIn }) =>
      call(signedIn.accountId, {
        path: `/api/ml/${body.endpoint ?? "predict"}`,
        payload: { session_data: body.session_data },
        ...(body.scenario && { headers: { "assay-test-scenario": body.scenario } }),
      }),
  });
  app.post("/playground/ad", {
    schema: { hide: true, body: PlaygroundAdRequest, response: { 200: PlaygroundReply } },
    handler: ({ body: { format, placement, app_category }, signedIn }) =>
      call(signedIn.accountId, { path: "/api/ads/request", payload: { format, placement, user_context: { app_category } } }),
  });
}
