import type { FastifyReply, FastifyRequest } from "fastify";
import { randomBytes } from "node:crypto";
import Type from "typebox";
import { Failure } from "../failure/failure.ts";
import { isLoopback } from "../http/is-loopback.ts";
import type { TypedApp } from "../http/typed-app.ts";
import type { Store } from "../store/store.ts";
import { framedMail, mailboxPage, mailPage } from "./mailbox-page.ts";
import { selectMail, selectNewestMails } from "./mails.table.ts";

const mailsShownMax = 50;
const IdParams = Type.Object({ id: Type.String({ maxLength: 64 }) });

const sharedHeaders = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  // Links in mails contain tokens, which must not leak in a Referer.
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
};

const pagePolicy = (nonce: string): string =>
  `default-src 'none'; style-src 'nonce-${nonce}'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
const framePolicy =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; frame-ancestors 'self'; sandbox allow-popups allow-top-navigation-by-user-activation";

const notFound = () => new Failure("not_found", "There is nothing at this address. See /docs.");

/** The local mailbox, for browsers on this machine. Any other request gets 404. */
export function addMailboxRoutes(app: TypedApp, store: Store): void {
  const guard = async (request: FastifyRequest) => {
    if (!isLoopback(request)) throw notFound();
  };
  const sendPage = (reply: FastifyReply, makePage: (nonce: string) => string) => {
    const nonce = randomBytes(18).toString("base64url");
    return reply.headers({ ...sharedHeaders, "content-security-policy": pagePolicy(nonce) }).send(makePage(nonce));
  };
  const find = async (id: string) => {
    const mail = await selectMail(store.db, id).executeTakeFirst();
    if (!mail) throw notFound();
    return mail;
  };

  app.get("/dashboard/mailbox", {
    onRequest: guard,
    schema: { hide: true },
    async handler(_request, reply) {
      const mails = await selectNewestMails(store.db, mailsShownMax).execute();
      return sendPage(reply, (nonce) => mailboxPage(mails, nonce));
    },
  });
  app.get("/dashboard/mailbox/:id", {
    onRequest: guard,
    schema: { hide: true, params: IdParams },
    async handler(request, reply) {
      const mail = await find(request.params.id);
      return sendPage(reply, (nonce) => mailPage(mail, nonce));
    },
  });
  app.get("/dashboard/mailbox/:id/html", {
    onRequest: guard,
    schema: { hide: true, params: IdParams },
    async handler(request, reply) {
      const mail = await find(request.params.id);
      return reply.headers({ ...sharedHeaders, "content-security-policy": framePolicy }).send(framedMail(mail.body_html));
    },
  });
}
