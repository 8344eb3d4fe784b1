import fc from "fast-check";
import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, describe, it } from "node:test";
import { describeBothStores, type TestDatabase } from "../../test/both-stores.ts";
import { messageIdOf, queueTestMail, startSmtp, stateOf, type TestSmtp } from "../../test/mail/start-smtp.ts";
import { makeSignInAccount, openBrowser, signIn } from "../../test/people/browser.ts";
import { waitUntil } from "../../test/send.ts";
import type { TestService } from "../../test/start-service.ts";
import { msPerDay } from "../formats/time.ts";
import { idAt } from "../ids/time-ordered-id.ts";
import { openStore } from "../store/open-store.ts";
import type { Store } from "../store/store.ts";
import { deleteOldMailFiles } from "./delete-old-mails.ts";
import { queueMail } from "./queue-mail.ts";
import { attemptsMax, type Mailer, nextAttemptMs, startMailer } from "./send-mails.ts";

const mailFrom = "Assay <no-reply@assay.example>";
const refuse = (to: string) => (to.startsWith("unknown") ? 550 : to.startsWith("busy") ? 451 : undefined);

describeBothStores("mail of a service with an SMTP server", (open) => {
  let database: TestDatabase;
  let smtp: TestSmtp;
  let service: TestService;
  before(async () => {
    database = await open();
    smtp = await startSmtp({ refuse });
    service = await database.serve({ env: { SMTP_URL: smtp.url, MAIL_FROM: mailFrom, SECRET_KEY: "m".repeat(40) } });
  });
  after(() => smtp.stop());

  const receivedBy = (to: string) => smtp.received.filter((each) => each.to === to);

  it("is delivered as text and HTML, and the row's content is erased", async () => {
    const { email } = await makeSignInAccount(database.store);
    await openBrowser(service).post("/dashboard/api/auth/request-password-reset", { email });
    await waitUntil(() => receivedBy(email).length === 1, "the mail has arrived");
    const [mail] = receivedBy(email);
    assert.equal(mail!.from, "no-reply@assay.example");
    assert.match(mail!.source, /^From: Assay <no-reply@assay\.example>/im);
    assert.match(mail!.source, /^Subject: Reset your password/im);
    assert.match(mail!.source, /^Auto-Submitted: auto-generated/im);
    assert.match(mail!.source, /Content-Type: text\/plain/);
    assert.match(mail!.source, /Content-Type: text\/html/);
    assert.match(messageIdOf(mail!)!, /^<mail_\w+@assay\.example>$/);
    await waitUntil(async () => (await stateOf(database.store, email)) === undefined, "the row no longer holds the address");
    assert(!service.logs().includes(email) && !service.logs().includes("token="));
  });

  it("has no local mailbox and writes no files", async () => {
    const answer = await openBrowser(service).get("/dashboard/mailbox");
    assert(!answer.text.includes("<h1>Mailbox"));
    assert.equal((await openBrowser(service).get("/dashboard/api/auth/options")).json()["mailbox"], null);
    assert(!readdirSync(service.dataDir).includes("outbox"));
  });

  it("fails at once for an unknown recipient; operators see why, without the address", async () => {
    const to = await queueTestMail(database.store, { to: "unknown@example.com" });
    await waitUntil(async () => (await stateOf(database.store, to))?.state === "failed", "the mail has failed");
    const { attempts, last_error: error } = (await stateOf(database.store, to))!;
    assert.equal(attempts, 1);
    assert.match(error!, /550/);
    const operator = await signIn(service, await makeSignInAccount(database.store, { operator: true }));
    const outbox = await operator.get("/dashboard/api/operator/outbox");
    assert.equal(outbox.status, 200, outbox.text);
    assert.equal(outbox.json()["failed"], 1);
    assert.equal((outbox.json()["failures"] as { reason: string }[])[0]!.reason, error);
    assert(!outbox.text.includes("@"));
    const developer = await signIn(service, await makeSignInAccount(database.store));
    assert.equal((await developer.get("/dashboard/api/operator/outbox")).status, 404);
  });
});

describeBothStores("the mailer", (open) => {
  let database: TestDatabase;
  let smtp: TestSmtp;
  let nowMs = Date.now();
  const mailers: Mailer[] = [];
  const start = ({ store = database.store, smtpUrl = smtp.url }: { store?: Store; smtpUrl?: string | null } = {}): Mailer => {
    const context = { store, nowMs: () => nowMs, random: () => 0.5, onError: (error: unknown) => assert.fail(String(error)) };
    const mailer = startMailer({ smtpUrl: smtpUrl ?? undefined, mailFrom, dataDir: database.dataDir }, context);
    mailers.push(mailer);
    return mailer;
  };
  const queue = (to?: string) => queueTestMail(database.store, { nowMs, ...(to !== undefined && { to }) });
  const receivedBy = (to: string) => smtp.received.filter((each) => each.to === to);
  before(async () => {
    database = await open();
    smtp = await startSmtp({ refuse });
  });
  afterEach(async () => {
    await Promise.all(mailers.splice(0).map((mailer) => mailer.stop()));
  });
  after(() => smtp.stop());

  it("names the address that ends such mails, for mail programs that offer it (RFC 8058)", async () => {
    const to = "subscriber@example.com";
    const unsubscribeUrl = `https://assay.example/unsubscribe?token=acct_0.money.${"a".repeat(43)}`;
    await queueTestMail(database.store, { to, nowMs, unsubscribeUrl });
    const without = await queue();
    start();
    await waitUntil(() => receivedBy(to).length === 1 && receivedBy(without).length === 1, "the mails have arrived");
    const unfolded = receivedBy(to)[0]!.source.replaceAll(/\r?\n[ \t]+/g, " ");
    assert(unfolded.includes(`\r\nList-Unsubscribe: <${unsubscribeUrl}>\r\n`), unfolded);
    assert(unfolded.includes("\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n"));
    assert(!receivedBy(without)[0]!.source.includes("List-Unsubscribe"));
    await waitUntil(async () => (await database.store.db.selectFrom("mails").select("id").where("unsubscribe_url", "is not", null).execute()).length === 0, "the row no longer holds the link");
  });

  it("retries when the server is busy, and not before the time to", async () => {
    const to = await queue("busy@example.com");
    const mailer = start();
    const isAt = async (attempts: number) => {
      const row = await stateOf(database.store, to);
      return row?.attempts === attempts && row.last_error !== null;
    };
    await waitUntil(() => isAt(1), "a first try");
    nowMs = nextAttemptMs(1, nowMs, 0.5)! - 1;
    // A mailer looks for another due mail after each that it sent.
    for (let sent = 0; sent < 3; sent += 1) {
      const other = await queue();
      mailer.wake();
      await waitUntil(async () => (await stateOf(database.store, other)) === undefined, "another mail is sent");
    }
    assert.equal((await stateOf(database.store, to))!.attempts, 1);
    nowMs += 1;
    mailer.wake();
    await waitUntil(async () => ((await stateOf(database.store, to))?.attempts ?? 0) === 2, "a second try");
    assert.equal((await stateOf(database.store, to))!.state, "queued");
  });

  it("sends each mail once with two nodes", async () => {
    const { store: other } = await openStore(database, { nowMs, onConnectionError: () => {} });
    try {
      const all = await Promise.all(Array.from({ length: 40 }, () => queue()));
      const both = [start(), start({ store: other })];
      await waitUntil(() => all.every((to) => receivedBy(to).length > 0), "all mails have arrived");
      await waitUntil(async () => (await database.store.db.selectFrom("mails").select("id").where("recipient", "in", all).execute()).length === 0, "all are marked as sent");
      await Promise.all(both.map((mailer) => mailer.stop()));
      assert.deepEqual(all.map((to) => receivedBy(to).length), all.map(() => 1));
    } finally {
      await other.close();
    }
  });

  it("delivers once the server is back, also what another node tried before", async () => {
    const gone = await startSmtp();
    await gone.stop();
    const to = await queue();
    const first = start({ smtpUrl: gone.url });
    await waitUntil(async () => typeof (await stateOf(database.store, to))?.last_error === "string", "a try that failed");
    assert.match((await stateOf(database.store, to))!.last_error!, /^(ESOCKET|ECONNECTION|ECONNREFUSED)/);
    await first.stop();
    const back = await startSmtp({ port: gone.port });
    nowMs = nextAttemptMs(1, nowMs, 0.5)!;
    start({ smtpUrl: gone.url });
    await waitUntil(() => back.received.length > 0, "the mail has arrived");
    assert.deepEqual(back.received.map((each) => each.to), [to]);
    await back.stop();
  });

  it("writes a file that only its owner can read without a server, and keeps the content for the mailbox", async () => {
    const to = await queue();
    start({ smtpUrl: null });
    await waitUntil(async () => (await stateOf(database.store, to))?.state === "sent", "the mail is delivered");
    const folder = join(database.dataDir, "outbox");
    const { id } = await database.store.db.selectFrom("mails").select("id").where("recipient", "=", to).executeTakeFirstOrThrow();
    assert(readdirSync(folder).every((name) => name.endsWith(".eml")));
    assert.equal(statSync(join(folder, `${id}.eml`)).mode & 0o777, 0o600);
    assert.equal(statSync(folder).mode & 0o777, 0o700);
    const source = readFileSync(join(folder, `${id}.eml`), "utf8");
    assert.match(source, new RegExp(`^To: ${to}`, "m"));
    assert.match(source, /plain words/);
  });
});

describeBothStores("mail without a server", (open) => {
  it("leaves no file after another node erased the mail, or after 7 days", async () => {
    const { store, dataDir } = await open();
    const folder = join(dataDir, "outbox");
    mkdirSync(folder);
    const nowMs = Date.now();
    const mail = { kind: "test", accountId: undefined, subject: "s", text: "t", html: "h" };
    await store.write([1, 2].map((number) => queueMail(store.db, { ...mail, to: `kept-${number}@example.com` }, nowMs)));
    const old = idAt("mail", nowMs - 7 * msPerDay - 1);
    await store.db.updateTable("mails").set({ id: old }).where("recipient", "=", "kept-1@example.com").execute();
    const { id: known } = await store.db.selectFrom("mails").select("id").where("recipient", "=", "kept-2@example.com").executeTakeFirstOrThrow();
    for (const name of [`${known}.eml`, `${old}.eml`, `${known}.eml.part`, "mail_erased.eml"]) writeFileSync(join(folder, name), "");
    await deleteOldMailFiles(store, { dataDir, nowMs: nowMs - 1 });
    assert.deepEqual(readdirSync(folder).toSorted(), [`${old}.eml`, `${known}.eml`, `${known}.eml.part`].toSorted());
    await deleteOldMailFiles(store, { dataDir, nowMs });
    assert.deepEqual(readdirSync(folder).toSorted(), [`${known}.eml`, `${known}.eml.part`]);
  });
});

describe("the retry schedule", () => {
  it("waits longer each time, within bounds, and ends", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: attemptsMax - 1 }), fc.double({ min: 0, max: 1, noNaN: true }), (attempts, chance) => {
        const waitMs = nextAttemptMs(attempts, 1_000, chance)! - 1_000;
        assert(waitMs >= 1_000 && waitMs <= 3_600_000);
        assert(waitMs >= nextAttemptMs(attempts, 0, 0)! && waitMs <= nextAttemptMs(attempts, 0, 1)!);
      }),
    );
    const longest = Array.from({ length: attemptsMax - 1 }, (_, index) => nextAttemptMs(index + 1, 0, 1)!);
    assert.deepEqual(longest, longest.toSorted((one, other) => one - other));
    assert(longest.reduce((sum, each) => sum + each, 0) > 8 * 3_600_000, "a server may be down for a night");
    assert.equal(nextAttemptMs(attemptsMax, 0, 0.5), undefined);
  });
});
