import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { randomBytes } from "node:crypto";
import Type from "typebox";
import { Failure } from "../../failure/failure.ts";
import type { TypedApp } from "../../http/typed-app.ts";
import type { Marks } from "../../secrets/read-sealed-key.ts";
import type { Store } from "../../store/store.ts";
import { unsubscribe } from "./choices.ts";
import { askPage, brokenLinkPage, donePage } from "./unsubscribe-page.ts";
import { readUnsubscribeKey, readUnsubscribeToken } from "./unsubscribe-token.ts";

const path = "/unsubscribe";
/** A mail program sends one short field. */
const bodyBytesMax = 4_096;
/** RFC 8058: a mail program may send either. */
const formTypes = ["application/x-www-form-urlencoded", "multipart/form-data"];

const TokenQuery = Type.Object({ token: Type.Optional(Type.String({ maxLength: 300 })) });

const policyOf = (nonce: string): string => `default-src 'none'; style-src 'nonce-${nonce}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;

const pageHeaders = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  // The address has the token in it.
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};

function sendPage(reply: FastifyReply, makePage: (nonce: string) => string) {
  const nonce = randomBytes(18).toString("base64url");
  return reply.headers({ ...pageHeaders, "content-security-policy": policyOf(nonce) }).send(makePage(nonce));
}

/** A page for people, and a failure for programs. */
function sendBroken(request: FastifyRequest, reply: FastifyReply) {
  if ((request.headers.accept ?? "").includes("text/html")) return sendPage(reply.code(404), brokenLinkPage);
  throw new Failure("not_found", "This link does not work. The dashboard's settings say what is mailed.");
}

type UnsubscribeContext = { store: Store; marks: Marks; nowMs: () => number };

/**
 * Ends mails about what is not mandatory, for whoever has the link of such a mail: without a sign-in and without a cookie.
 * The token alone decides, so a request of another site that does not have it can do nothing.
 */
export async function addUnsubscribeRoutes(app: FastifyInstance, { store, marks, nowMs }: UnsubscribeContext): Promise<void> {
  const find = async (token = "") => readUnsubscribeToken(await readUnsubscribeKey(marks), token);
  await app.register(async (scope: TypedApp) => {
    // What is in the form does not matter.
    scope.addContentTypeParser(formTypes, { parseAs: "buffer", bodyLimit: bodyBytesMax }, (_request, _body, done) => done(null, undefined));
    scope.get(path, {
      schema: { hide: true, querystring: TokenQuery },
      async handler(request, reply) {
        const { token = "" } = request.query;
        const found = await find(token);
        if (!found) return sendBroken(request, reply);
        return sendPage(reply, (nonce) => askPage({ topics: found.topics, token }, nonce));
      },
    });
    scope.post(path, {
      bodyLimit: bodyBytesMax,
      schema: { hide: true, querystring: TokenQuery },
      async handler(request, reply) {
        const found = await find(request.query.token);
        if (!found || (await unsubscribe(store, found, nowMs())) === "no_account") return sendBroken(request, reply);
        return sendPage(reply, (nonce) => donePage(found.topics, nonce));
      },
    });
  });
}
