import { deliveredTypes, eventKinds, type EventType } from "@assay/contract/webhooks.ts";
import Type from "typebox";

export const webhooksTag = "Webhooks";

export const webhooksExplained = "What Assay sends to your endpoints when something happens: signed, at least once, in any order.";

const headerParameters = [
  { name: "webhook-id", description: "The event's id, the same on every attempt: handle each id once.", schema: { type: "string", pattern: "^evt_[0-9A-Za-z]+$" } },
  { name: "webhook-timestamp", description: "When this attempt was signed, in seconds since 1970. Refuse what is more than five minutes off.", schema: { type: "string", pattern: "^[0-9]+$" } },
  {
    name: "webhook-signature",
    description:
      "Signatures of `<webhook-id>.<webhook-timestamp>.<body>`, with spaces between them: `v1,` and an HMAC-SHA256 by the endpoint's secret (two while it is being rotated), `v1a,` and an Ed25519 signature by the installation's key, which signs the events of all accounts: with it, also compare `account`. One that is right is enough.",
    schema: { type: "string" },
  },
].map((each) => ({ ...each, in: "header", required: true }));

const responses = {
  200: { description: "Taken. Any 2xx within ten seconds counts; with any other answer, or none, it is sent again: ten attempts over three days." },
  410: { description: "The receiver is gone: the endpoint is switched off, and nothing more is sent to it." },
};

/** `payout.paid` → `payoutPaidWebhook`. */
const operationIdOf = (type: string): string => `${type.replaceAll(/[._]([a-z])/g, (_found, letter: string) => letter.toUpperCase())}Webhook`;

const toldTo = { developer: "the developer whose account it concerns", operator: "the operators of the installation" };

const exampleOwner = (type: EventType): string => (eventKinds[type].audiences.includes("developer" as never) ? "acct_0Q5ZLr8k000aB3dE6gH9jKm" : "operators");

function describeBody(type: EventType): object {
  const { data, example } = eventKinds[type];
  const schema = Type.Object({
    type: Type.Literal(type, { description: "What happened. A type never changes its meaning." }),
    timestamp: Type.String({ format: "date-time", description: "When it happened." }),
    sequence: Type.Integer({ minimum: 1, description: "Counts the events of the account, or of the operators, without a gap. A lower one may arrive later." }),
    account: Type.String({ description: "Whose event it is: the account, such as `acct_…`, or `operators`. Expect your own wherever you verify with the installation's key." }),
    data: { ...data, description: "What it is about, without personal data. It may gain fields." },
  });
  return { schema, example: { type, timestamp: "2026-02-14T09:30:00.000Z", sequence: 42, account: exampleOwner(type), data: example } };
}

function describeWebhook(type: EventType): object {
  const { summary, audiences } = eventKinds[type];
  return {
    post: {
      operationId: operationIdOf(type),
      tags: [webhooksTag],
      summary: type,
      description: `${summary} Told to ${audiences.map((each) => toldTo[each]).join(", and to ")}.`,
      security: [],
      parameters: headerParameters,
      requestBody: { required: true, content: { "application/json": describeBody(type) } },
      responses,
    },
  };
}

/** The `webhooks` of an OpenAPI document: one entry for each type of event that is delivered. */
export const describeWebhooks = (): Record<string, object> => Object.fromEntries(deliveredTypes.map((type) => [type, describeWebhook(type)]));
