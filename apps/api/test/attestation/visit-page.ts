/** A visitor's page that talks to the service, as the collector does. */
import type { LightMyRequestResponse } from "fastify";
import { createSite } from "../../src/attestation/sites/manage-sites.ts";
import type { SessionState } from "../../src/attestation/tokens/session-state.ts";
import type { Store } from "../../src/store/store.ts";
import type { OpenedApp } from "../open-app.ts";

export const shop = "https://shop.example";

export const makeSite = async (store: Store, { accountId, origins = [shop], nowMs = Date.now() }: { accountId: string; origins?: readonly string[]; nowMs?: number }): Promise<string> =>
  (await createSite(store, { accountId, actorAccountId: null, nowMs, name: "Shop", origins })).siteId;

export type Posting = {
  /** Undefined: no header at all, as from a program. */
  origin?: string | undefined;
  type?: string;
  /** Default: a network of its own, so that nobody is in a crowd. */
  address?: string;
  headers?: Record<string, string>;
};

let networks = 0;
/** In a network that no other test has. */
export function newAddress(): string {
  networks += 1;
  return `100.${64 + (networks >> 8)}.${networks & 255}.7`;
}

export type Delta = { view_ms?: number; active_ms?: number; clicks?: number; keys?: number; pages?: number; scroll?: number | null };

export type Visits = {
  post(path: "start" | "beat", body: unknown, posting?: Posting): Promise<LightMyRequestResponse>;
  /** The token of a session that has just begun. */
  begin(siteId: string, posting?: Posting): Promise<string>;
  beat(token: string, d: Delta, posting?: Posting): Promise<string>;
  /** What a token holds. */
  read(token: string): SessionState;
};

const tokenOf = (answer: LightMyRequestResponse, status: number): string => {
  if (answer.statusCode !== status) throw new Error(`${answer.statusCode}: ${answer.body}`);
  return answer.json<{ token: string }>().token;
};

/** Injects what pages send. A text is sent as it is. */
export function visit({ app, deps }: Pick<OpenedApp, "app" | "deps">): Visits {
  const post: Visits["post"] = (path, body, posting = {}) => {
    const { type = "text/plain;charset=UTF-8", address = newAddress(), headers = {} } = posting;
    const origin = "origin" in posting ? posting.origin : shop;
    return app.inject({
      method: "POST",
      url: `/c/v1/${path}`,
      remoteAddress: address,
      headers: { "content-type": type, ...(origin !== undefined && { origin }), ...headers },
      payload: typeof body === "string" ? body : JSON.stringify(body),
    });
  };
  return {
    post,
    begin: async (siteId, posting) => tokenOf(await post("start", { site: siteId }, posting), 201),
    beat: async (token, d, posting) => tokenOf(await post("beat", { token, d }, posting), 200),
    read(token) {
      const opened = deps.attestation.tokens.open(token, deps.nowMs());
      if (opened.kind !== "open") throw new Error(`the token is ${opened.kind}`);
      return opened.state;
    },
  };
}

/** Time that only a test moves. */
export function createTestClock(startedMs: number): { nowMs: () => number; advance(ms: number): void } {
  let nowMs = startedMs;
  return {
    nowMs: () => nowMs,
    advance(ms) {
      nowMs += ms;
    },
  };
}
