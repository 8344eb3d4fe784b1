import { mandatoryTopics, type Topic, topics } from "@assay/contract/dashboard/notice-topics.ts";
import { createHmac } from "node:crypto";
import { isToken } from "../../http/is-token.ts";
import type { Marks } from "../../secrets/read-sealed-key.ts";

/** What a link ends: mails about these topics to this account. */
export type Unsubscription = { accountId: string; topics: readonly Topic[] };

/** The installation's key of such links. It stays the same when SECRET_KEY is replaced: links in old mails go on working. */
export const readUnsubscribeKey = ({ mark }: Marks): Promise<string> => mark("unsubscribe links", "key");

const macOf = (key: string, body: string): string => createHmac("sha256", key).update(body).digest("base64url");

/** It never expires, and names the account by its id: whoever has it can end these mails, and learn or do nothing else. */
export function makeUnsubscribeToken(key: string, { accountId, topics: ended }: Unsubscription): string {
  const body = `${accountId}.${ended.join("-")}`;
  return `${body}.${macOf(key, body)}`;
}

const isTopic = (text: string): text is Topic => (topics as readonly string[]).includes(text);

/** Undefined for a token that this installation did not make. */
export function readUnsubscribeToken(key: string, token: string): Unsubscription | undefined {
  const [accountId, joined, mac, ...rest] = token.split(".");
  if (accountId === undefined || joined === undefined || mac === undefined || rest.length > 0) return undefined;
  if (!isToken(mac, macOf(key, `${accountId}.${joined}`))) return undefined;
  return { accountId, topics: joined.split("-").filter(isTopic).filter((topic) => !mandatoryTopics.has(topic)) };
}
