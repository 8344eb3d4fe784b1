import { OutboxReply } from "@assay/contract/dashboard/account.ts";
import type { TypedApp } from "../http/typed-app.ts";
import { countMailsByState, selectFailedMails } from "../mail/mails.table.ts";
import type { PeopleContext } from "./people-context.ts";
import { type ReadSignIn, requireOperator, requireSignIn } from "./require-sign-in.ts";
import { isoTime } from "../formats/time.ts";

const failuresShownMax = 50;

/** `GET /dashboard/api/operator/outbox`: whether mail gets through. */
export function addOutboxRoute(app: TypedApp, { store, configuredUrl }: PeopleContext, readSignIn: ReadSignIn): void {
  app.get("/operator/outbox", {
    onRequest: [requireSignIn({ readSignIn, publicUrl: configuredUrl }), requireOperator],
    schema: { hide: true, response: { 200: OutboxReply } },
    async handler() {
      const [states, failures] = await Promise.all([countMailsByState(store.db).execute(), selectFailedMails(store.db, failuresShownMax).execute()]);
      const countOf = (state: string) => states.find((each) => each.state === state)?.count ?? 0;
      const oldest = states.find(({ state }) => state === "queued")?.oldest_at;
      return {
        queued: countOf("queued"),
        oldest_queued_at: oldest === undefined ? null : isoTime(oldest),
        sent: countOf("sent"),
        failed: countOf("failed"),
        failures: failures.map((mail) => ({
          id: mail.id,
          kind: mail.kind,
          account_id: mail.account_id,
          attempts: mail.attempts,
          reason: mail.last_error ?? "",
          created_at: isoTime(mail.created_at),
        })),
      };
    },
  });
}
