import assert from "node:assert/strict";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { readMailboxLink } from "../../test/people/read-mailbox-link.ts";
import { send, waitUntil } from "../../test/send.ts";
import { makeTestFolder, startService, type TestService } from "../../test/start-service.ts";
import { msPerDay } from "../formats/time.ts";
import { idAt } from "../ids/time-ordered-id.ts";
import { openStore } from "../store/open-store.ts";
import type { Store } from "../store/store.ts";
import { layOutMail } from "./lay-out-mail.ts";
import { queueMail } from "./queue-mail.ts";

const nasty = `<script>alert("1")</script> & 'friends'`;
const content = {
  subject: `Subject ${nasty}`,
  preview: "preview",
  heading: `Heading ${nasty}`,
  paragraphs: [`Words ${nasty}`],
  button: { label: `Open ${nasty}`, url: "http://127.0.0.1:1/path?token=abc&next=1" },
  footnote: `Note ${nasty}`,
};

describe("the local mailbox", () => {
  let service: TestService;
  let store: Store;
  let mailId: string;
  let token: string;
  let cookie: string;
  before(async () => {
    const dataDir = makeTestFolder();
    ({ store } = await openStore({ dataDir, databaseUrl: undefined }, { nowMs: Date.now(), onConnectionError: () => {} }));
    const mail = { kind: "test", to: "reader@example.com", accountId: undefined, ...layOutMail(content) };
    await store.write([queueMail(store.db, mail, Date.now())]);
    mailId = (await store.db.selectFrom("mails").select("id").executeTakeFirstOrThrow()).id;
    service = await startService({ dataDir });
    token = readFileSync(join(dataDir, "local-token"), "utf8");
    cookie = `assay.mailbox=${token}`;
  });
  after(async () => {
    await service.stop();
    await store.close();
  });

  const open = (path: string, headers: Record<string, string> = {}) => send(service, path, { headers: { cookie, ...headers } });
  const paths = () => ["/dashboard/mailbox", `/dashboard/mailbox/${mailId}`, `/dashboard/mailbox/${mailId}/html`];

  it("loses its old files soon after a start, however the last one ended, and keeps the others", async () => {
    const { dataDir } = service;
    const [oldId, unknownId] = [idAt("mail", Date.now() - 8 * msPerDay), idAt("mail", Date.now())];
    const fileOf = (id: string) => join(dataDir, "outbox", `${id}.eml`);
    await waitUntil(() => existsSync(fileOf(mailId)), "the mail is written to its file");
    // Sent a moment ago, after days of attempts; and one whose account another node has erased.
    const row = await store.db.selectFrom("mails").selectAll().where("id", "=", mailId).executeTakeFirstOrThrow();
    await store.db.insertInto("mails").values({ ...row, id: oldId, state: "sent", done_at: Date.now() }).execute();
    for (const id of [oldId, unknownId]) writeFileSync(fileOf(id), "");
    await service.kill9();
    service = await startService({ dataDir });
    await waitUntil(() => !existsSync(fileOf(oldId)) && !existsSync(fileOf(unknownId)), "the node has deleted both files");
    await store.db.deleteFrom("mails").where("id", "=", oldId).execute();
    assert(existsSync(fileOf(mailId)));
  });

  it("lists the newest mails and shows each as text with links and as HTML", async () => {
    const list = await open("/dashboard/mailbox");
    assert.equal(list.status, 200);
    assert(list.text.includes(`href="/dashboard/mailbox/${mailId}"`) && list.text.includes("reader@example.com"));
    const shown = await open(`/dashboard/mailbox/${mailId}`);
    assert(shown.text.includes('<a href="http://127.0.0.1:1/path?token=abc&amp;next=1">'), shown.text);
    assert.match(shown.text, /<iframe [^>]*sandbox="(?!.*allow-(scripts|same-origin))[^"]*"/);
    const framed = await open(`/dashboard/mailbox/${mailId}/html`);
    assert(framed.text.includes('<base target="_top">') && framed.text.includes("<h1"));
  });

  it("is opened once by the printed link: the token becomes a cookie and leaves the address", async () => {
    const link = new URL(readMailboxLink(service));
    assert.equal(link.searchParams.get("token"), token);
    assert.equal(Buffer.from(token, "base64url").length, 32);
    assert.equal(statSync(join(service.dataDir, "local-token")).mode & 0o777, 0o600);
    const opened = await send(service, link.pathname + link.search);
    assert.deepEqual([opened.status, opened.headers.location], [303, "/dashboard/mailbox"]);
    const [line = "", ...more] = opened.headers["set-cookie"] ?? [];
    assert.deepEqual(more, []);
    const [pair, ...attributes] = line.split("; ");
    assert.equal(pair, cookie);
    for (const attribute of ["HttpOnly", "SameSite=Strict", "Path=/dashboard/mailbox"]) assert(attributes.includes(attribute), line);
    assert.equal((await send(service, `/dashboard/mailbox/${mailId}?token=${token}`)).headers.location, `/dashboard/mailbox/${mailId}`);
  });

  it("shows nothing without the token, and says where the link is [threat: local-only-page]", async () => {
    const wrong = [{}, { cookie: "assay.mailbox=" }, { cookie: `assay.mailbox=${token.slice(1)}` }, { cookie: `assay.mailbox=${token}x` }, { cookie: `other=${token}` }];
    for (const path of paths()) {
      for (const headers of wrong) {
        const answer = await send(service, path, { headers });
        assert.equal(answer.status, 403, `${path} ${JSON.stringify(headers)}`);
        assert.match(answer.text, /Assay printed a link when it started/);
        assert(!answer.text.includes("reader@example.com") && !answer.text.includes("Subject") && !answer.text.includes(token));
        assert.equal(answer.headers["set-cookie"], undefined);
      }
      for (const query of ["?token=", "?token=wrong", `?token=${token}x`, `?token=${token}&token=${token}`]) {
        assert.equal((await send(service, path + query)).status, 403, path + query);
      }
    }
    const both = `assay.mailbox=of-another-installation; ${cookie}`;
    assert.equal((await send(service, "/dashboard/mailbox", { headers: { cookie: both } })).status, 200);
  });

  it("keeps its token over a restart, and refuses to start with a damaged one", async () => {
    const dataDir = makeTestFolder();
    const first = await startService({ dataDir });
    const link = new URL(readMailboxLink(first)).search;
    await first.stop();
    const second = await startService({ dataDir });
    assert.equal(new URL(readMailboxLink(second)).search, link);
    await second.stop();
    writeFileSync(join(dataDir, "local-token"), "");
    await assert.rejects(startService({ dataDir }), /Assay cannot start: DATA_DIR .* the file local-token is damaged; delete it/);
  });

  it("runs no script of a mail, neither in its pages nor in the frame", async () => {
    for (const path of paths()) {
      const { headers, text } = await open(path);
      const policy = String(headers["content-security-policy"]);
      assert(!text.includes("<script"), path);
      assert.match(policy, /default-src 'none'/);
      assert(!policy.includes("script-src"), policy);
      assert.equal(headers["x-content-type-options"], "nosniff");
      assert.equal(headers["cache-control"], "no-store");
      assert.equal(headers["referrer-policy"], "no-referrer");
    }
    const framed = await open(paths()[2]!);
    assert.match(String(framed.headers["content-security-policy"]), /sandbox(?!.*allow-(scripts|same-origin))/);
  });

  it("answers 404 to a request with another Host or with a forwarding header [threat: local-only-page]", async () => {
    const { port } = new URL(service.url);
    const traces = [
      { host: "assay.example.com" },
      { host: `evil.example:${port}` },
      { host: `127.0.0.1.evil.example:${port}` },
      { "x-forwarded-for": "127.0.0.1" },
      { "x-real-ip": "127.0.0.1" },
      { forwarded: "for=127.0.0.1" },
      { "x-forwarded-host": "localhost" },
      { "x-forwarded-proto": "http" },
      { via: "1.1 proxy" },
    ];
    for (const headers of traces) {
      for (const path of paths()) {
        const answer = await open(path, headers);
        assert.equal(answer.status, 404, `${path} ${JSON.stringify(headers)}`);
        assert(!answer.text.includes("reader@example.com"));
      }
    }
    for (const host of [`localhost:${port}`, `127.0.0.1:${port}`]) {
      assert.equal((await open("/dashboard/mailbox", { host })).status, 200);
    }
    const options = (headers: Record<string, string>) => send(service, "/dashboard/api/auth/options", { headers }).then((answer) => answer.json()["mailbox"]);
    assert.equal(await options({}), "/dashboard/mailbox");
    assert.equal(await options({ "x-forwarded-for": "127.0.0.1" }), null);
  });

  it("answers 404 for unknown ids, path traversal and SQL injection", async () => {
    for (const id of ["mail_unknown", "..%2f..%2fassay.sqlite", "'%20or%201=1"]) {
      assert.equal((await open(`/dashboard/mailbox/${id}`)).status, 404);
    }
  });
});

describe("the mail layout", () => {
  it("has the same content in text and HTML, and escapes HTML", () => {
    const { subject, text, html } = layOutMail(content);
    assert.equal(subject, content.subject);
    for (const part of [content.heading, ...content.paragraphs, content.button.label, content.button.url, content.footnote]) assert(text.includes(part), part);
    assert(!html.includes("<script"));
    assert(html.includes("Words &lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;friends&#39;"));
    assert(html.includes('href="http://127.0.0.1:1/path?token=abc&amp;next=1"'));
    assert(!/<(img|script|link)|url\(/.test(html), "no external resources");
  });
});
