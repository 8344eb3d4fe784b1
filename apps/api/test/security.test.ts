/** What must hold on every route there is, now and when new ones are added: headers, cookies, origins, ways out. */
import assert from "node:assert/strict";
import * as fc from "fast-check";
import type { LightMyRequestResponse } from "fastify";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { readMails } from "./people/read-mails.ts";
import { makeSignInAccount } from "./people/browser.ts";
import { findPeople, type FuzzPeople } from "./faults/fuzz/fuzz-people.ts";
import { collectRoutes } from "./faults/fuzz/run-fuzz.ts";
import { neverShed } from "../src/http/shed-load.ts";
import { openApp, type OpenedApp } from "./open-app.ts";

const evil = "https://evil.example";
const auth = "/dashboard/api/auth";

describe("every route", () => {
  const routes = collectRoutes();
  let opened: OpenedApp;
  let people: FuzzPeople;

  before(async () => {
    opened = await openApp();
    people = await findPeople(opened);
  });
  after(() => opened.close());

  /** An address of the route; what its parameters are does not matter here. */
  const addressOf = (url: string) => url.replaceAll(/:\w+/g, "x").replaceAll("*", "x");

  async function visitAll(headers: Record<string, string>): Promise<{ route: string; url: string; answer: LightMyRequestResponse }[]> {
    const answers = [];
    for (const { method, url } of [...routes, { method: "GET", url: "/nothing" }, { method: "GET", url: "/api/nothing" }, { method: "PUT", url: "/api/status" }]) {
      const answer = await opened.app.inject({ method: method as "GET", url: addressOf(url), headers });
      answers.push({ route: `${method} ${url}`, url, answer });
    }
    assert(answers.length > 80);
    return answers;
  }

  it("says nosniff, https only, and how long its answer may be kept; what is private is kept by nobody", async () => {
    for (const identity of ["nobody", "live", "developer", "operator"] as const) {
      for (const { route, url, answer } of await visitAll({ ...people.headersOf(identity), "sec-fetch-site": "same-origin" })) {
        const { headers } = answer;
        assert.equal(headers["x-content-type-options"], "nosniff", route);
        assert.equal(headers["strict-transport-security"], "max-age=31536000", route);
        const isPrivate = /^\/(api|ml|t|dashboard\/api|dashboard\/mailbox|metrics)(\/|$)/.test(url);
        if (isPrivate) assert.equal(headers["cache-control"], "no-store", route);
        assert.notEqual(headers["cache-control"], undefined, route);
        assert.equal(headers["x-powered-by"] ?? headers["server"], undefined, `${route} tells what it is made with`);
        assert.equal(headers["access-control-allow-origin"], url.startsWith("/cdn/") && answer.statusCode === 200 ? "*" : undefined, route);
        assert.equal(headers["access-control-allow-credentials"], undefined, route);
      }
    }
  });

  it("that gives a page says what the page may do, and who may frame it", async () => {
    let pages = 0;
    for (const { route, answer } of await visitAll({ accept: "text/html" })) {
      if (!String(answer.headers["content-type"]).startsWith("text/html")) continue;
      pages += 1;
      const policy = String(answer.headers["content-security-policy"]);
      assert.match(policy, /default-src 'none'|default-src 'self'/, route);
      assert.match(policy, /frame-ancestors '(none|self)'/, route);
      assert.match(policy, /base-uri '(none|self)'/, route);
      assert.notEqual(answer.headers["referrer-policy"], undefined, route);
      // The reference is a script that styles itself and evaluates templates; no other page may.
      if (!route.startsWith("GET /docs")) assert.doesNotMatch(policy, /unsafe-(inline|eval)/, route);
    }
    assert(pages >= 4, `${pages} pages`);
  });

  it("that is served however busy the service is, is there", () => {
    const known = new Set(routes.map(({ url }) => url));
    assert.deepEqual([...neverShed].filter((url) => !known.has(url)), []);
  });

  it("that changes something refuses other origins, and who does not say where it comes from, whoever is signed in", async () => {
    await people.renew();
    const changing = routes.filter(({ method, url }) => url.startsWith("/dashboard/api") && method !== "GET");
    assert(changing.length > 30, String(changing.length));
    const strangers: Record<string, string>[] = [
      { origin: evil },
      { origin: evil, "sec-fetch-site": "cross-site" },
      { origin: "null" },
      { "sec-fetch-site": "same-site" },
      { "sec-fetch-site": "cross-site", origin: opened.publicUrl },
      { origin: `${opened.publicUrl}.evil.example` },
      { origin: opened.publicUrl.replace("https:", "http:") },
      { host: "evil.example", origin: evil },
      {},
    ];
    for (const { method, url } of changing) {
      for (const stranger of strangers) {
        const headers = { ...people.headersOf("operator"), "content-type": "text/plain", ...stranger };
        const answer = await opened.app.inject({ method: method as "POST", url: addressOf(url), headers, payload: "{}" });
        assert.deepEqual([answer.statusCode, answer.json<{ error: string }>().error], [403, "forbidden"], `${method} ${url} from ${JSON.stringify(stranger)}`);
      }
    }
  });

  it("that sets a cookie keeps it from scripts, from other sites and from plain http", async () => {
    const { email, password } = await makeSignInAccount(opened.deps.store);
    const post = (path: string, payload: object) => opened.app.inject({ method: "POST", url: auth + path, headers: { origin: opened.publicUrl }, payload });
    const lines = [await post("/sign-in/email", { email, password }), await post("/sign-up/email", { email: "new@example.com", password }), await post("/sign-out", {})].flatMap(({ headers }) => headers["set-cookie"] ?? []);
    assert(lines.length >= 2);
    for (const line of lines) {
      assert.match(line, /^__Host-assay[.\w]*=/);
      for (const attribute of [/; HttpOnly(;|$)/i, /; SameSite=(Lax|Strict)(;|$)/i, /; Secure(;|$)/i, /; Path=\/(;|$)/i]) assert.match(line, attribute);
      assert.doesNotMatch(line, /; Domain=/i);
    }
  });

  it("sends nobody to another host but by a genuine click, whatever the address looks like", async () => {
    const paths = ["//evil.example", "//evil.example/..", "/docs//evil.example", "/docs/..//evil.example", "/dashboard//evil.example/%2e%2e", "/%5cevil.example", "/.//evil.example", "/t/c/https:%2f%2fevil.example", `/t/c/x?url=${evil}`, `${auth}/verify-email?token=x&redirect=${evil}`, `${auth}/confirm-email?token=x&callbackURL=${evil}`];
    for (const url of paths) {
      const { headers, statusCode } = await opened.app.inject({ url, headers: { host: "evil.example", "x-forwarded-host": "evil.example" } });
      const to = headers.location ?? "/";
      assert.equal(new URL(to, opened.publicUrl).origin, opened.publicUrl, `${url} → ${statusCode} ${to}`);
    }
  });

  it("mails links to the address that is set, whatever Host a request names", async () => {
    const { email } = await makeSignInAccount(opened.deps.store);
    const headers = { host: "evil.example", "x-forwarded-host": "evil.example", "x-forwarded-proto": "http", forwarded: "host=evil.example", origin: opened.publicUrl };
    await opened.app.inject({ method: "POST", url: `${auth}/request-password-reset`, headers, payload: { email } });
    const [mail] = await readMails(opened.deps.store, email);
    assert.match(String(mail?.text), new RegExp(`${opened.publicUrl}/dashboard/reset-password\\?token=`));
    assert.doesNotMatch(JSON.stringify(mail), /evil/);
  });

  it("gives no file but its own, however the address is spelt", async () => {
    const ways = ["../", "..%2f", "%2e%2e/", "%2e%2e%2f", "..%5c", "..\\", "%252e%252e%252f", ".%2e/", "..;/", "%c0%ae%c0%ae/", "....//", "\0../"];
    for (const from of ["/dashboard/assets/", "/cdn/", "/docs/", "/dashboard/", "/"]) {
      for (const way of ways) {
        for (const file of ["package.json", "etc/passwd", "apps/api/src/config.ts", "secret.key"]) {
          const { body } = await opened.app.inject({ url: from + way.repeat(6) + file });
          assert.doesNotMatch(body, /"workspaces"|root:x:0|parseAll|only-tests-have-seen/, from + way + file);
        }
      }
    }
  });

  it("takes text for text: no part of a request becomes SQL", async () => {
    // The routes that were visited before include signing out.
    await people.renew();
    const caller = people.headersOf("live");
    const fragments = fc.constantFrom("'", '"', ";", "--", "/*", "*/", " OR 1=1", " UNION SELECT ", "%", "_", "\\", "$1", "?", "x", "sess_", "0");
    await fc.assert(
      fc.asyncProperty(fc.array(fragments, { minLength: 1, maxLength: 8 }), async (parts) => {
        const text = encodeURIComponent(parts.join(""));
        const session = await opened.app.inject({ url: `/api/sessions/${text}`, headers: caller });
        assert.equal(session.statusCode, 404, session.body);
        const found = await opened.app.inject({ url: `/dashboard/api/operator/accounts?search=${text}`, headers: people.headersOf("operator") });
        assert.equal(found.statusCode, 200, found.body);
        for (const { email, id } of found.json<{ accounts: { email: string; id: string }[] }>().accounts) {
          assert(`${email} ${id}`.toLowerCase().includes(parts.join("").trim().toLowerCase()), `${parts.join("")} found ${email}`);
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe("the service's own code", () => {
  const root = join(import.meta.dirname, "..", "src");
  const files = globSync("**/*.ts", { cwd: root }).filter((file) => !file.endsWith(".test.ts"));
  const sourceOf = (file: string) => readFileSync(join(root, file), "utf8");

  it("calls nobody of its own accord: nothing that a request says can make it", () => {
    assert(files.length > 200);
    const opens = /\bfetch\(|\bXMLHttpRequest\b|\bWebSocket\(|import (?!type)[^;]*from "node:(http|https|http2|tls|dgram|dns|net)(\/promises)?"/;
    // They take one function each, which opens no connection to anybody.
    const harmless = new Map([["config.ts", 'import { isIP } from "node:net"'], ["start/serve.ts", 'import { Server as NetServer } from "node:net"']]);
    const calling = files.filter((file) => opens.test(sourceOf(file).replace(harmless.get(file) ?? "\0", "")));
    assert.deepEqual(calling, []);
    // The three that do connect go where the settings say.
    const clients = files.filter((file) => /import (?!type)[^;]*"(nodemailer|pg|ioredis)"|import\("(nodemailer|pg|ioredis)"\)/.test(sourceOf(file)));
    assert.deepEqual(clients.filter((file) => !/^(mail|store|access|transfer)\//.test(file)), []);
  });

  it("evaluates no text as code and builds no SQL from text", () => {
    // Redis runs its own scripts, whose text is ours: see access/limits/take-script.ts.
    const risky = /(?<!redis\.|\w\.)\beval\(|new Function\(|\bsql\.raw\(|child_process|node:vm"/;
    assert.deepEqual(files.filter((file) => risky.test(sourceOf(file))), []);
  });

  it("has no pattern that repeats what repeats already, which is what makes a pattern take for ever", () => {
    const nested = /\((?:\?[:=!<]*)?[^()]*(?:[^\\()]|\\.)[+*](?:\?)?[^()]*\)(?:[+*]|\{\d+,\})/;
    const patterns = files.flatMap((file) => [...sourceOf(file).matchAll(/(?<=[=(:,!&|?\s[])\/(?![/*\s])((?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+)\/[dgimsuvy]*/g)].map(([, pattern]) => ({ file, pattern: pattern! })));
    assert(patterns.length > 50, String(patterns.length));
    assert.deepEqual(patterns.filter(({ pattern }) => nested.test(pattern)), []);
    assert(nested.test("^(a+)+$") && nested.test("(?:x*y)*") && nested.test("(\\w+\\s?)*z") && !nested.test("(a{1,5})\\1+"), "the check itself finds such patterns");
  });
});
