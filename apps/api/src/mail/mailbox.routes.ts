import type { FastifyReply, FastifyRequest } from "fastify";
import { randomBytes } from "node:crypto";
import Type from "typebox";
import { Failure } from "../failure/failure.ts";
import { isLoopback } from "../http/is-loopback.ts";
import { isToken } from "../http/is-token.ts";
import type { TypedApp } from "../http/typed-app.ts";
import type { Store } from "../store/store.ts";
import { hasMailboxCookie, mailboxCookie } from "./mailbox-cookie.ts";
import { framedMail, lockedPage, mailboxPage, mailPage } from "./mailbox-page.ts";
import { selectMail, selectNewestMails } from "./mails.table.ts";

const mailboxPath = "/dashboard/mailbox";
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

type MailboxContext = {
  store: Store;
  isLocal: boolean;
  /** Opens the mailbox; in `DATA_DIR` and in the link that is printed at the start. Undefined: the mailbox stays closed. */
  localToken: string | undefined;
};

/**
 * The local mailbox, for browsers on this machine that were opened with the printed link. Other machines get 404; a
 * browser without the token, which may have come through a proxy, gets 403 and reads nothing.
 */
export function addMailboxRoutes(app: TypedApp, { store, isLocal, localToken }: MailboxContext): void {
  const sendPage = (reply: FastifyReply, makePage: (nonce: string) => string) => {
    const nonce = randomBytes(18).toString("base64url");
    return reply.headers({ ...sharedHeaders, "content-security-policy": pagePolicy(nonce) }).send(makePage(nonce));
  };
  const guard = async (request: FastifyRequest, reply: FastifyReply) => {
    if (localToken === undefined || !isLoopback(request, { isLocal })) throw notFound();
    const { token } = request.query as { token?: unknown };
    if (typeof token === "string" && isToken(token, localToken)) {
      // The address without the token: it stays out of the history and of what is copied from the address bar.
      const path = request.url.slice(0, request.url.indexOf("?"));
      return reply.headers(sharedHeaders).header("set-cookie", mailboxCookie(mailboxPath, localToken)).redirect(path, 303);
    }
    if (!hasMailboxCookie(request.headers.cookie, localToken)) return sendPage(reply.code(403), lockedPage);
  };
  const find = async (id: string) => {
    const mail = await selectMail(store.db, id).executeTakeFirst();
    if (!mail) throw notFound();
    return mail;
  };

  app.get(mailboxPath, {
    onRequest: guard,
    schema: { hide: true },
    async handler(_request, reply) {
      const mails = await selectNewestMails(store.db, mailsShownMax).execute();
      return sendPage(reply, (nonce) => mailboxPage(mails, nonce));
    },
  });
  app.get(`${mailboxPath}/:id`, {
    onRequest: guard,
    schema: { hide: true, params: IdParams },
    async handler(request, reply) {
      const mail = await find(request.params.id);
      return sendPage(reply, (nonce) => mailPage(mail, nonce));
    },
  });
  app.get(`${mailboxPath}/:id/html`, {
    onRequest: guard,
    schema: { hide: true, params: IdParams },
    async handler(request, reply) {
      const mail = await find(request.params.id);
      return reply.headers({ ...sharedHeaders, "content-security-policy": framePolicy }).send(framedMail(mail.body_html));
    },
  });
}
