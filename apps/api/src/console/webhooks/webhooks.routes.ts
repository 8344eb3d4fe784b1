import {
  ChangeEndpointRequest,
  DeletedEndpointReply,
  DeliveriesQuery,
  DeliveriesReply,
  DeliveryDetailReply,
  DeliveryParams,
  EndpointItem,
  EndpointParams,
  NewEndpointReply,
  NewEndpointRequest,
  ReplayReply,
  ReplayRequest,
  RotateSecretReply,
  TestEventReply,
  WebhooksReply,
} from "@assay/contract/dashboard/webhooks.ts";
import { Failure } from "../../failure/failure.ts";
import { isoTimeOrNull, parseTime } from "../../formats/time.ts";
import type { TypedApp } from "../../http/typed-app.ts";
import type { SignedIn } from "../../people/require-sign-in.ts";
import { endpointsMax } from "../../webhooks/endpoints/endpoint-rules.ts";
import { selectEndpoint, selectEndpoints } from "../../webhooks/endpoints/endpoints.table.ts";
import { redeliver, replay } from "../../webhooks/manage/ask-again.ts";
import { describeChoices, describeEndpoint } from "../../webhooks/manage/describe-endpoint.ts";
import { changeEndpoint, createEndpoint, type EndpointContext, removeEndpoint, rotateEndpointSecret, sendTest, unknownEndpoint } from "../../webhooks/manage/manage-endpoints.ts";
import { listDeliveries, readDelivery } from "../../webhooks/manage/read-log.ts";

export type WebhooksContext = Omit<EndpointContext, "readUrl"> & {
  nowMs: () => number;
  egress: Pick<EndpointContext, "readUrl">;
  /** The installation's own, with which `v1a` signatures are verified; undefined if it cannot be read. */
  webhookKey: { publicKey: string } | undefined;
  /** Sends what is due now instead of at the next poll. */
  wakeSender: () => void;
};

/** Whose endpoints they are: the signed-in account's, or all operators'. */
export type AudienceOf = (signedIn: SignedIn) => string;

/** A test event is a request to an address of somebody's choice, so the account needs a verified address. */
function refuseUnverified({ verified }: SignedIn): void {
  if (!verified) throw new Failure("forbidden", "Verify your e-mail address first: open the link in the verification mail.");
}

type Routes = { context: WebhooksContext; audienceOf: AudienceOf };

function addEndpointRoutes(app: TypedApp, { context: { store, sealer, nowMs, egress, webhookKey, wakeSender }, audienceOf }: Routes): void {
  const context: EndpointContext = { store, sealer, readUrl: egress.readUrl };
  const askedBy = (signedIn: SignedIn) => ({ audience: audienceOf(signedIn), actorAccountId: signedIn.accountId, nowMs: nowMs() });

  async function describe(named: { endpointId: string; audience: string }): Promise<EndpointItem> {
    const endpoint = await selectEndpoint(store.db, named).executeTakeFirst();
    if (!endpoint) throw unknownEndpoint();
    return describeEndpoint(endpoint, nowMs());
  }

  app.get("/webhooks", {
    schema: { hide: true, response: { 200: WebhooksReply } },
    async handler({ signedIn }) {
      const audience = audienceOf(signedIn);
      const endpoints = await selectEndpoints(store.db, audience).execute();
      return {
        endpoints: endpoints.map((endpoint) => describeEndpoint(endpoint, nowMs())),
        endpoints_max: endpointsMax,
        events: describeChoices(audience),
        account: audience,
        public_key: webhookKey?.publicKey ?? null,
      };
    },
  });
  app.post("/webhooks", {
    schema: { hide: true, body: NewEndpointRequest, response: { 201: NewEndpointReply } },
    async handler({ signedIn, body }, reply) {
      refuseUnverified(signedIn);
      const asked = askedBy(signedIn);
      const { endpointId, eventId, secret } = await createEndpoint(context, { ...asked, url: body.url, types: body.types ?? null });
      wakeSender();
      return reply.code(201).send({ secret, endpoint: await describe({ ...asked, endpointId }), event_id: eventId });
    },
  });
  app.patch("/webhooks/:endpoint_id", {
    schema: { hide: true, params: EndpointParams, body: ChangeEndpointRequest, response: { 200: EndpointItem } },
    async handler({ signedIn, params, body }) {
      const named = { ...askedBy(signedIn), endpointId: params.endpoint_id };
      await changeEndpoint(context, { ...named, ...body });
      wakeSender();
      return describe(named);
    },
  });
  app.post("/webhooks/:endpoint_id/rotate", {
    schema: { hide: true, params: EndpointParams, response: { 200: RotateSecretReply } },
    async handler({ signedIn, params }) {
      const named = { ...askedBy(signedIn), endpointId: params.endpoint_id };
      const { secret } = await rotateEndpointSecret(context, named);
      return { secret, endpoint: await describe(named) };
    },
  });
  app.delete("/webhooks/:endpoint_id", {
    schema: { hide: true, params: EndpointParams, response: { 200: DeletedEndpointReply } },
    async handler({ signedIn, params }) {
      await removeEndpoint(context, { ...askedBy(signedIn), endpointId: params.endpoint_id });
      return { endpoint_id: params.endpoint_id };
    },
  });
}

function addDeliveryRoutes(app: TypedApp, { context: { store, nowMs, wakeSender }, audienceOf }: Routes): void {
  const nameEndpoint = (signedIn: SignedIn, endpointId: string) => ({ audience: audienceOf(signedIn), actorAccountId: signedIn.accountId, endpointId, nowMs: nowMs() });

  app.post("/webhooks/:endpoint_id/test", {
    schema: { hide: true, params: EndpointParams, response: { 200: TestEventReply } },
    async handler({ signedIn, params }) {
      refuseUnverified(signedIn);
      const { eventId } = await sendTest({ store }, nameEndpoint(signedIn, params.endpoint_id));
      wakeSender();
      return { event_id: eventId };
    },
  });
  app.post("/webhooks/:endpoint_id/replay", {
    config: { readsMany: true },
    schema: { hide: true, params: EndpointParams, body: ReplayRequest, response: { 200: ReplayReply } },
    async handler({ signedIn, params, body }) {
      const { events, queued, nextFromMs } = await replay(store, { ...nameEndpoint(signedIn, params.endpoint_id), fromMs: parseTime(body.from, "from") });
      wakeSender();
      return { events, queued, next_from: isoTimeOrNull(nextFromMs) };
    },
  });
  app.get("/webhooks/deliveries", {
    schema: { hide: true, querystring: DeliveriesQuery, response: { 200: DeliveriesReply } },
    handler: ({ signedIn, query }) => listDeliveries(store, { audience: audienceOf(signedIn), query, nowMs: nowMs() }),
  });
  app.get("/webhooks/:endpoint_id/deliveries/:event_id", {
    schema: { hide: true, params: DeliveryParams, response: { 200: DeliveryDetailReply } },
    handler: ({ signedIn, params }) => readDelivery(store, { audience: audienceOf(signedIn), endpointId: params.endpoint_id, eventId: params.event_id, nowMs: nowMs() }),
  });
  app.post("/webhooks/:endpoint_id/deliveries/:event_id/redeliver", {
    schema: { hide: true, params: DeliveryParams, response: { 200: DeliveryDetailReply } },
    async handler({ signedIn, params }) {
      const named = { ...nameEndpoint(signedIn, params.endpoint_id), eventId: params.event_id };
      await redeliver(store, named);
      wakeSender();
      return readDelivery(store, named);
    },
  });
}

/** The guards of the scope that they are added to decide who may use them. */
export function addWebhookRoutes(app: TypedApp, routes: Routes): void {
  addEndpointRoutes(app, routes);
  addDeliveryRoutes(app, routes);
}
