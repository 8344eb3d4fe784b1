// Services are killed around the delivery of mail: nothing is lost, and only a mail in a dead node's hands comes twice.
import assert from "node:assert/strict";
import { before, it } from "node:test";
import { describeBothStores, type TestDatabase } from "../both-stores.ts";
import { messageIdOf, queueTestMail, startSmtp, stateOf, type TestSmtp } from "../mail/start-smtp.ts";
import { makeSignInAccount, openBrowser } from "../people/browser.ts";
import { waitUntil } from "../send.ts";
import type { TestService } from "../start-service.ts";

describeBothStores("mail of a node that was killed", (open) => {
  let database: TestDatabase;
  let smtp: TestSmtp;
  let service: TestService;
  let kill: (() => Promise<void>) | undefined;
  const serve = () => database.serve({ env: { SMTP_URL: smtp.url, MAIL_FROM: "no-reply@assay.example", SECRET_KEY: "m".repeat(40) } });
  const receivedBy = (to: string) => smtp.received.filter((each) => each.to === to);
  before(async () => {
    database = await open();
  });

  it("is delivered after a restart and an outage of the mail server", async () => {
    smtp = await startSmtp();
    await smtp.stop();
    service = await serve();
    const { email } = await makeSignInAccount(database.store);
    await openBrowser(service).post("/dashboard/api/auth/request-password-reset", { email });
    await waitUntil(async () => typeof (await stateOf(database.store, email))?.last_error === "string", "a try that failed");
    assert.match((await stateOf(database.store, email))!.last_error!, /^(ESOCKET|ECONNECTION|ECONNREFUSED)/);
    await service.kill9();
    smtp = await startSmtp({
      port: smtp.port,
      async onTaken() {
        const once = kill;
        kill = undefined;
        await once?.();
      },
    });
    service = await serve();
    await waitUntil(() => smtp.received.length > 0, "the mail has arrived");
    assert.deepEqual(smtp.received.map(({ to }) => to), [email]);
  });

  it("comes again under the same Message-ID if the node died before marking it as sent; all others arrive once", async (t) => {
    t.after(() => smtp.stop());
    kill = () => service.kill9();
    const twice = await queueTestMail(database.store);
    await waitUntil(() => kill === undefined && service.child.signalCode !== null, "the node was killed with the mail in the server's hands");
    const { lease } = await database.store.db.selectFrom("mails").select("lease").where("recipient", "=", twice).executeTakeFirstOrThrow();
    assert(lease !== null, "the row does not say that the mail was sent");
    const others = await Promise.all(Array.from({ length: 5 }, () => queueTestMail(database.store)));
    await serve();
    await waitUntil(() => others.every((to) => receivedBy(to).length > 0), "the others have arrived");
    assert.equal(receivedBy(twice).length, 1, "the dead node's lease is respected");
    // As after the 90 s of the dead node's lease.
    await database.store.db.updateTable("mails").set({ leased_until: 0 }).where("recipient", "=", twice).execute();
    await waitUntil(() => receivedBy(twice).length === 2, "the mail has come again");
    const ids = receivedBy(twice).map(messageIdOf);
    assert(ids[0] !== undefined && ids[0] === ids[1], "both copies have the same Message-ID");
    for (const to of others) assert.equal(receivedBy(to).length, 1);
  });
});
