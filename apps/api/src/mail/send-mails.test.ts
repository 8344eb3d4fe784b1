import fc from "fast-check";
import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { SMTPServer } from "smtp-server";
import { describeBothStores, type TestDatabase } from "../../test/both-stores.ts";
import { makeSignInAccount, openBrowser, signIn } from "../../test/people/browser.ts";
import { waitUntil } from "../../test/send.ts";
import type { TestService } from "../../test/start-service.ts";
import { deleteOldMailFiles } from "./delete-old-mails.ts";
import { queueMail } from "./queue-mail.ts";
import { attemptsMax, nextAttemptMs } from "./send-mails.ts";

type Received = { to: string; from: string; source: string };
type TestSmtp = { url: string; port: number; received: Received[]; stop(): Promise<void> };

type SmtpSettings = { port?: number; refuse?: (to: string) => number | undefined; onTaken?: () => Promise<void> };

/** A real mail server. `refuse` returns the reply code for a recipient; `onTaken` runs after a mail arrived, before it is acknowledged. */
async function startSmtp({ port = 0, refuse = () => undefined, onTaken = () => Promise.resolve() }: SmtpSettings = {}): Promise<TestSmtp> {
  const received: Received[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS", "AUTH"],
    onRcptTo({ address }, _session, done) {
      const code = refuse(address);
      done(code === undefined ? undefined : Object.assign(new Error(`no such person: ${address}`), { responseCode: code }));
    },
    onData(stream, session, done) {
      let source = "";
      stream.setEncoding("utf8").on("data", (chunk: string) => (source += chunk));
      stream.on("end", () => {
        const from = session.envelope.mailFrom ? session.envelope.mailFrom.address : "";
        received.push({ to: session.envelope.rcptTo.map(({ address }) => address).join(), from, source });
        void onTaken().then(() => done());
      });
    },
  });
  server.on("error", () => {});
  server.listen(port, "127.0.0.1");
  await once(server.server, "listening");
  const address = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    port: address.port,
    received,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

const messageIdOf = ({ source }: Received) => /^Message-ID: (\S+)/im.exec(source)?.[1];
const stateOf = async (database: TestDatabase, recipient: string) =>
  (await database.store.db.selectFrom("mails").select(["state", "attempts", "last_error"]).where("recipient", "=", recipient).execute())[0];

let numbered = 0;
async function queue(database: TestDatabase, to = `reader-${(numbered += 1)}@example.com`): Promise<string> {
  const mail = { kind: "test", to, accountId: undefined, subject: "Grüße", text: "plain words\n.\n", html: "<p>rich words</p>" };
  await database.store.write([queueMail(database.store.db, mail, Date.now())]);
  return to;
}

describeBothStores("mail by SMTP", (open) => {
  let database: TestDatabase;
  let smtp: TestSmtp;
  let service: TestService;
  const serve = (url: string) => database.serve({ env: { SMTP_URL: url, MAIL_FROM: "Assay <no-reply@assay.example>", SECRET_KEY: "m".repeat(40) } });
  before(async () => {
    database = await open();
    smtp = await startSmtp({ refuse: (to) => (to.startsWith("unknown") ? 550 : to.startsWith("busy") ? 451 : undefined) });
    service = await serve(smtp.url);
  });
  after(() => smtp.stop());

  const receivedBy = (to: string) => smtp.received.filter((each) => each.to === to);

  it("delivers text and HTML, and erases the row's content", async () => {
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
    await waitUntil(async () => (await stateOf(database, email)) === undefined, "the row no longer holds the address");
    assert(!service.logs().includes(email) && !service.logs().includes("token="));
  });

  it("names the address that ends such mails, for mail programs that offer it (RFC 8058)", async () => {
    const to = "subscriber@example.com";
    const unsubscribeUrl = `https://assay.example/unsubscribe?token=acct_0.money.${"a".repeat(43)}`;
    const mail = { kind: "test", to, accountId: undefined, subject: "News", text: "words", html: "<p>words</p>", unsubscribeUrl };
    await database.store.write([queueMail(database.store.db, mail, Date.now())]);
    const without = await queue(database);
    await waitUntil(() => receivedBy(to).length === 1 && receivedBy(without).length === 1, "the mails have arrived");
    const unfolded = receivedBy(to)[0]!.source.replaceAll(/\r?\n[ \t]+/g, " ");
    assert(unfolded.includes(`\r\nList-Unsubscribe: <${unsubscribeUrl}>\r\n`), unfolded);
    assert(unfolded.includes("\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n"));
    assert(!receivedBy(without)[0]!.source.includes("List-Unsubscribe"));
    await waitUntil(async () => (await database.store.db.selectFrom("mails").select("id").where("unsubscribe_url", "is not", null).execute()).length === 0, "the row no longer holds the link");
  });

  it("has no local mailbox and writes no files", async () => {
    const answer = await openBrowser(service).get("/dashboard/mailbox");
    assert(!answer.text.includes("<h1>Mailbox"));
    assert.equal((await openBrowser(service).get("/dashboard/api/auth/options")).json()["mailbox"], null);
    assert(!readdirSync(service.dataDir).includes("outbox"));
  });

  it("fails at once for an unknown recipient; operators see why, without the address", async () => {
    const to = await queue(database, "unknown@example.com");
    await waitUntil(async () => (await stateOf(database, to))?.state === "failed", "the mail has failed");
    const { attempts, last_error: error } = (await stateOf(database, to))!;
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

  it("retries when the server is busy", async () => {
    const to = await queue(database, "busy@example.com");
    await waitUntil(async () => ((await stateOf(database, to))?.attempts ?? 0) >= 2, "a second try");
    assert.equal((await stateOf(database, to))!.state, "queued");
  });

  it("sends each mail once with two nodes", async () => {
    await serve(smtp.url);
    const all = await Promise.all(Array.from({ length: 40 }, () => queue(database)));
    await waitUntil(() => all.every((to) => receivedBy(to).length > 0), "all mails have arrived", 60_000);
    await waitUntil(async () => (await database.store.db.selectFrom("mails").select("id").where("recipient", "in", all).execute()).length === 0, "all are marked as sent");
    assert.deepEqual(all.map((to) => receivedBy(to).length), all.map(() => 1));
  });
});

describeBothStores("mail after an outage", (open) => {
  it("is delivered once the server is back, also by a service that was killed and restarted meanwhile", async () => {
    const database = await open();
    const gone = await startSmtp();
    await gone.stop();
    const env = { SMTP_URL: gone.url, MAIL_FROM: "no-reply@assay.example", SECRET_KEY: "m".repeat(40) };
    const first = await database.serve({ env });
    const { email } = await makeSignInAccount(database.store);
    await openBrowser(first).post("/dashboard/api/auth/request-password-reset", { email });
    await waitUntil(async () => (await stateOf(database, email))?.last_error !== null, "a try that failed");
    assert.match((await stateOf(database, email))!.last_error!, /^(ESOCKET|ECONNECTION|ECONNREFUSED)/);
    await first.kill9();
    const back = await startSmtp({ port: gone.port });
    await database.serve({ env });
    await waitUntil(() => back.received.length > 0, "the mail has arrived", 60_000);
    assert.deepEqual(back.received.map(({ to }) => to), [email]);
    await back.stop();
  });

  it("is sent again with the same Message-ID if a node is killed before marking it as sent; all others arrive once", async () => {
    const database = await open();
    let killOne: (() => Promise<void>) | undefined;
    const smtp = await startSmtp({
      async onTaken() {
        const kill = killOne;
        killOne = undefined;
        await kill?.();
      },
    });
    const env = { SMTP_URL: smtp.url, MAIL_FROM: "no-reply@assay.example", SECRET_KEY: "m".repeat(40) };
    const first = await database.serve({ env });
    killOne = () => first.kill9();
    const twice = await queue(database);
    await waitUntil(() => killOne === undefined && first.child.signalCode !== null, "the node was killed with the mail in the server's hands");
    const { lease } = await database.store.db.selectFrom("mails").select("lease").where("recipient", "=", twice).executeTakeFirstOrThrow();
    assert(lease !== null, "the row does not say that the mail was sent");
    const others = await Promise.all(Array.from({ length: 5 }, () => queue(database)));
    await database.serve({ env });
    await waitUntil(() => others.every((to) => smtp.received.some((each) => each.to === to)), "the others have arrived");
    assert.equal(smtp.received.filter(({ to }) => to === twice).length, 1, "the dead node's lease is respected");
    // As after the 90 s of the dead node's lease.
    await database.store.db.updateTable("mails").set({ leased_until: 0 }).where("recipient", "=", twice).execute();
    await waitUntil(() => smtp.received.filter(({ to }) => to === twice).length === 2, "the mail has come again");
    const ids = smtp.received.filter(({ to }) => to === twice).map(messageIdOf);
    assert(ids[0] !== undefined && ids[0] === ids[1], "both copies have the same Message-ID");
    for (const to of others) assert.equal(smtp.received.filter((each) => each.to === to).length, 1);
    await smtp.stop();
  });
});

describeBothStores("mail without a server", (open) => {
  it("becomes a file that only its owner can read, and stays in the mailbox", async () => {
    const database = await open();
    const service = await database.serve();
    const to = await queue(database);
    await waitUntil(async () => (await stateOf(database, to))?.state === "sent", "the mail is delivered");
    const folder = join(service.dataDir, "outbox");
    const names = readdirSync(folder);
    assert.equal(names.length, 1);
    assert.equal(statSync(join(folder, names[0]!)).mode & 0o777, 0o600);
    assert.equal(statSync(folder).mode & 0o777, 0o700);
    const source = readFileSync(join(folder, names[0]!), "utf8");
    assert.match(source, new RegExp(`^To: ${to}`, "m"));
    assert.match(source, /plain words/);
  });

  it("leaves no file after another node erased the mail, or after 7 days", async () => {
    const { store, dataDir } = await open();
    const folder = join(dataDir, "outbox");
    mkdirSync(folder);
    const nowMs = Date.now();
    const mail = { kind: "test", accountId: undefined, subject: "s", text: "t", html: "h" };
    await store.write([1, 2].map((number) => queueMail(store.db, { ...mail, to: `kept-${number}@example.com` }, nowMs)));
    const [known, old] = (await store.db.selectFrom("mails").select("id").where("kind", "=", "test").orderBy("id").execute()).map(({ id }) => id);
    for (const name of [`${known}.eml`, `${old}.eml`, `${known}.eml.part`, "mail_erased.eml"]) writeFileSync(join(folder, name), "");
    const longAgo = new Date(nowMs - 8 * 86_400_000);
    utimesSync(join(folder, `${old}.eml`), longAgo, longAgo);
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
