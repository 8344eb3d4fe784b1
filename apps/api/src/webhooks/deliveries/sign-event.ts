/** Standard Webhooks: the body of an event, and the headers that prove who sent it. */
import { createHmac, sign } from "node:crypto";
import { isoTime, msPerSecond } from "../../formats/time.ts";
import { secretPrefix } from "../endpoints/endpoint-secret.ts";
import type { WebhookKey } from "./webhook-key.ts";

/** `account`: whose event it is. */
export type StoredEvent = { id: string; type: string; sequence: number; at: number; account: string; data: string };

/**
 * The same bytes on every attempt: `data` is the text that was stored with the event. The installation's key signs the events
 * of all accounts: who verifies with it takes those that name the account that it expects.
 */
export const bodyOf = ({ type, at, sequence, account, data }: StoredEvent): string =>
  `{"type":${JSON.stringify(type)},"timestamp":"${isoTime(at)}","sequence":${sequence},"account":${JSON.stringify(account)},"data":${data}}`;

/** Whose signatures an attempt carries: all secrets that are valid, the current one first, and the installation's key. */
export type Signers = { secrets: readonly string[]; key: WebhookKey | undefined };

const hmacOf = (secret: string, content: string): string =>
  `v1,${createHmac("sha256", Buffer.from(secret.slice(secretPrefix.length), "base64")).update(content).digest("base64")}`;

/** Receivers accept the event if one of the signatures is right, so a secret can be replaced while both are in use. */
export function signEvent({ id, body, nowMs }: { id: string; body: string; nowMs: number }, { secrets, key }: Signers): Record<string, string> {
  const timestamp = String(Math.floor(nowMs / msPerSecond));
  const content = `${id}.${timestamp}.${body}`;
  const signatures = secrets.map((secret) => hmacOf(secret, content));
  if (key) signatures.push(`v1a,${sign(null, Buffer.from(content), key.privateKey).toString("base64")}`);
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") };
}
