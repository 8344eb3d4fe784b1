// A process of its own: every app of the process says which route has answered.
/** Guarantees for every route, including future ones: security headers, cookies, origins, redirects, path traversal. */
import assert from "node:assert/strict";
import * as fc from "fast-check";
import type { LightMyRequestResponse } from "fastify";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { readMails } from "./people/read-mails.ts";
import { makeSignInAccount } from "./people/browser.ts";
import { type BuiltSql, findBuiltSql } from "./find-built-sql.ts";
import { createFuzzIdentities, type FuzzIdentities } from "./faults/fuzz/fuzz-identities.ts";
import { collectRoutes } from "./faults/fuzz/run-fuzz.ts";
import { neverShed } from "../src/http/shed-load.ts";
import { openApp, type OpenedApp } from "./open-app.ts";

const evil = "https://evil.example";
const auth = "/dashboard/api/auth";

/** Statements that no part of a request can reach. A further place in one of these files needs a look, and a new number. */
const builtSqlAllowed: Record<string, { places: number; why: string }> = {
  "transfer/export/fill-postgres.ts": { places: 6, why: "names of the tables in moved-tables.ts" },
  "transfer/export/fill-sqlite.ts": { places: 4, why: "names of the tables in moved-tables.ts" },
  "transfer/export/read-tables.ts": { places: 5, why: "names of the tables in moved-tables.ts" },
  "store/audit-chain.ts": { places: 7, why: "expressions of the chain, from constants" },
  "store/batch-columns.ts": { places: 1, why: "a table and its columns, from constants" },
  "store/change-tables.ts": { places: 7, why: "the migrations' plans of indexes" },
  "store/check-sqlite.ts": { places: 3, why: "two pragmas and a limit" },
  "store/commit-fence.ts": { places: 2, why: "the expression for the store's time" },
  "store/day-partitions.ts": { places: 4, why: "a table and a day" },
  "store/migrate.ts": { places: 5, why: "the migrations' own statements and names" },
  "store/service-rights.ts": { places: 4, why: "the file's own list of tables and functions, and a role's name, which is quoted" },
  "store/open-postgres.ts": { places: 2, why: "passes on what Kysely compiled" },
  "store/sqlite-worker.ts": { places: 4, why: "passes on what Kysely compiled; pragmas" },
  "store/primary/primary-client.ts": { places: 2, why: "passes on a statement, and names the settings and the role to set in a message" },
  "store/primary/read-server.ts": { places: 3, why: "names of settings, from constants" },
  "store/commit-line.ts": { places: 1, why: "passes on a statement with its values" },
  "store/transact-postgres.ts": { places: 2, why: "passes on what Kysely compiled; the fence" },
  "operations/make-partitions.ts": { places: 4, why: "names and days of partitions" },
  "money/ledger/charge-batch.postgres.ts": { places: 2, why: "a list of columns, from constants" },
  "money/ledger/charge-batch.sqlite.ts": { places: 13, why: "the statements of the file's own table of texts, lists of columns, and as many placeholders as there are values" },
  "money/ledger/charge-calls.function.ts": { places: 2, why: "as many placeholders as there are columns" },
  "ads/serving/make-offers.postgres.ts": { places: 2, why: "a list of columns, from constants" },
  "ads/serving/make-offers.sqlite.ts": { places: 4, why: "the statements of the file's own table of texts" },
  // `sql.lit` because PostgreSQL groups by an expression only if it is the same text in both places; `sql.ref` quotes.
  "money/ledger/ledger.table.ts": { places: 2, why: "a bucket's length" },
  "money/days/days.table.ts": { places: 1, why: "a bucket's length" },
  "money/growth/growth.table.ts": { places: 2, why: "a column's name from a list" },
  "money/payouts/unsettled.table.ts": { places: 1, why: "a column's name from a list" },
  "money/ledger/movements.table.ts": { places: 4, why: "a bucket's length, a status of a closed list, a column of the schema" },
  "money/ledger/platform-sums.table.ts": { places: 1, why: "a column of the schema" },
  "money/ledger/log/log.table.ts": { places: 1, why: "a list of parameters, three for each account" },
  "ads/reports/report.table.ts": { places: 2, why: "a bucket's length, a column of the schema" },
  "webhooks/deliveries/deliveries.table.ts": { places: 1, why: "a state of the schema, which an index of SQLite must know" },
  "ads/reports/report-groups.table.ts": { places: 4, why: "a day's length, a column of the schema, names of groups" },
  "access/requests/requests.table.ts": { places: 2, why: "a bucket's length, a column of the schema" },
};

describe("every route", () => {
  const routes = collectRoutes();
  let opened: OpenedApp;
  let identities: FuzzIdentities;

  before(async () => {
    opened = await openApp();
    identities = await createFuzzIdentities(opened);
  });
  after(() => opened.close());

  /** A path of the route; the values of its parameters do not matter here. */
  const pathOf = (url: string) => url.replaceAll(/:\w+/g, "x").replaceAll("*", "x");

  async function visitAll(headers: Record<string, string>): Promise<{ route: string; url: string; answer: LightMyRequestResponse }[]> {
    const answers = [];
    for (const { method, url } of [...routes, { method: "GET", url: "/nothing" }, { method: "GET", url: "/api/nothing" }, { method: "PUT", url: "/api/status" }]) {
      const answer = await opened.app.inject({ method: method as "GET", url: pathOf(url), headers });
      answers.push({ route: `${method} ${url}`, url, answer });
    }
    assert(answers.length > 80);
    return answers;
  }

  it("sends nosniff, HSTS and Cache-Control, with no-store for private answers [threat: key-in-a-page] [threat: cached-answer]", async () => {
    for (const identity of ["anonymous", "live", "developer", "operator"] as const) {
      for (const { route, url, answer } of await visitAll({ ...identities.headersOf(identity), "sec-fetch-site": "same-origin" })) {
        const { headers } = answer;
        assert.equal(headers["x-content-type-options"], "nosniff", route);
        assert.equal(headers["strict-transport-security"], "max-age=31536000", route);
        const isPrivate = /^\/(api|ml|t|dashboard\/api|dashboard\/mailbox|metrics)(\/|$)/.test(url);
        if (isPrivate) assert.equal(headers["cache-control"], "no-store", route);
        assert.notEqual(headers["cache-control"], undefined, route);
        assert.equal(headers["x-powered-by"] ?? headers["server"], undefined, `${route} discloses its software`);
        const isForEveryPage = url.startsWith("/cdn/") || url === "/c/v1/collector.js";
        assert.equal(headers["access-control-allow-origin"], isForEveryPage && answer.statusCode === 200 ? "*" : undefined, route);
        assert.equal(headers["access-control-allow-credentials"], undefined, route);
      }
    }
  });

  it("that serves a page sends a CSP with frame-ancestors [threat: script-in-a-page]", async () => {
    let pages = 0;
    for (const { route, answer } of await visitAll({ accept: "text/html" })) {
      if (!String(answer.headers["content-type"]).startsWith("text/html")) continue;
      pages += 1;
      const policy = String(answer.headers["content-security-policy"]);
      assert.match(policy, /default-src 'none'|default-src 'self'/, route);
      assert.match(policy, /frame-ancestors '(none|self)'/, route);
      assert.match(policy, /base-uri '(none|self)'/, route);
      assert.notEqual(answer.headers["referrer-policy"], undefined, route);
      // The reference page's script needs inline styles and eval; no other page may use them.
      if (!route.startsWith("GET /docs")) assert.doesNotMatch(policy, /unsafe-(inline|eval)/, route);
    }
    assert(pages >= 4, `${pages} pages`);
  });

  it("that is never shed exists", () => {
    const known = new Set(routes.map(({ url }) => url));
    assert.deepEqual([...neverShed].filter((url) => !known.has(url)), []);
  });

  it("that changes something rejects cross-origin requests and requests without an origin (CSRF), for every account [threat: csrf]", async () => {
    await identities.renew();
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
        const headers = { ...identities.headersOf("operator"), "content-type": "text/plain", ...stranger };
        const answer = await opened.app.inject({ method: method as "POST", url: pathOf(url), headers, payload: "{}" });
        assert.deepEqual([answer.statusCode, answer.json<{ error: string }>().error], [403, "forbidden"], `${method} ${url} from ${JSON.stringify(stranger)}`);
      }
    }
  });

  it("that sets a cookie makes it HttpOnly, SameSite and Secure [threat: stolen-cookie]", async () => {
    const { email, password } = await makeSignInAccount(opened.deps.store);
    const post = (path: string, payload: object) => opened.app.inject({ method: "POST", url: auth + path, headers: { origin: opened.publicUrl }, payload });
    const lines = [await post("/sign-in/email", { email, password }), await post("/sign-in/email", { email, password, rememberMe: false }), await post("/sign-out", {})].flatMap(({ headers }) => headers["set-cookie"] ?? []);
    assert(lines.length >= 2);
    for (const line of lines) {
      assert.match(line, /^__Host-assay[.\w]*=/);
      for (const attribute of [/; HttpOnly(;|$)/i, /; SameSite=(Lax|Strict)(;|$)/i, /; Secure(;|$)/i, /; Path=\/(;|$)/i]) assert.match(line, attribute);
      assert.doesNotMatch(line, /; Domain=/i);
    }
  });

  it("redirects to another host only for a genuine click, whatever the URL (open redirects) [threat: open-redirect]", async () => {
    const paths = ["//evil.example", "//evil.example/..", "/docs//evil.example", "/docs/..//evil.example", "/dashboard//evil.example/%2e%2e", "/%5cevil.example", "/.//evil.example", "/t/c/https:%2f%2fevil.example", `/t/c/x?url=${evil}`, `${auth}/verify-email?token=x&redirect=${evil}`, `${auth}/confirm-email?token=x&callbackURL=${evil}`];
    for (const url of paths) {
      const { headers, statusCode } = await opened.app.inject({ url, headers: { host: "evil.example", "x-forwarded-host": "evil.example" } });
      const to = headers.location ?? "/";
      assert.equal(new URL(to, opened.publicUrl).origin, opened.publicUrl, `${url} → ${statusCode} ${to}`);
    }
  });

  it("mails links with the configured host, whatever Host a request sends [threat: host-injection]", async () => {
    const { email } = await makeSignInAccount(opened.deps.store);
    const headers = { host: "evil.example", "x-forwarded-host": "evil.example", "x-forwarded-proto": "http", forwarded: "host=evil.example", origin: opened.publicUrl };
    await opened.app.inject({ method: "POST", url: `${auth}/request-password-reset`, headers, payload: { email } });
    const [mail] = await readMails(opened.deps.store, email);
    assert.match(String(mail?.text), new RegExp(`${opened.publicUrl}/dashboard/reset-password\\?token=`));
    assert.doesNotMatch(JSON.stringify(mail), /evil/);
  });

  it("serves no files outside its folders (path traversal) [threat: path-traversal]", async () => {
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

  it("never interprets a part of a request as SQL (injection) [threat: sql-injection]", async () => {
    // The routes visited before include sign-out.
    await identities.renew();
    const caller = identities.headersOf("live");
    const fragments = fc.constantFrom("'", '"', ";", "--", "/*", "*/", " OR 1=1", " UNION SELECT ", "%", "_", "\\", "$1", "?", "x", "sess_", "0");
    await fc.assert(
      fc.asyncProperty(fc.array(fragments, { minLength: 1, maxLength: 8 }), async (parts) => {
        const text = encodeURIComponent(parts.join(""));
        const session = await opened.app.inject({ url: `/api/sessions/${text}`, headers: caller });
        assert.equal(session.statusCode, 404, session.body);
        const found = await opened.app.inject({ url: `/dashboard/api/operator/accounts?search=${text}`, headers: identities.headersOf("operator") });
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

  it("makes outgoing requests only to the witnesses that a setting lists, and to what egress/ has judged (SSRF) [threat: ssrf]", () => {
    assert(files.length > 200);
    // Witnesses are in a file of the operator's; commands reach what the person at the terminal names; a witness only listens.
    const byOperator = new Set(["money/ledger/log/witness/ask-witnesses.ts", "money/ledger/log/witness/serve-witness.ts", "cli/log-witness.ts", "cli/read-published-log.ts"]);
    // Addresses that others choose: resolved, connected to and spoken to in one room, which post-outwards.ts is the door of.
    const judged = new Set(["connect-pinned.ts", "exchange-post.ts", "resolve-name.ts"].map((file) => `webhooks/egress/${file}`));
    const opens = /\bfetch\(|\bXMLHttpRequest\b|\bWebSocket\(|import (?!type)[^;]*from "node:(http|https|http2|tls|dgram|dns|net)(\/promises)?"/;
    // These files import one name each, which opens no connection.
    const isIp = 'import { isIP } from "node:net"';
    const harmless = new Map([
      ["config.ts", isIp],
      ["webhooks/egress/judge-address.ts", isIp],
      ["webhooks/egress/read-endpoint-url.ts", isIp],
      ["webhooks/egress/post-outwards.ts", 'import { isIP, type Socket } from "node:net"'],
      ["start/drain.ts", 'import { Server as NetServer } from "node:net"'],
    ]);
    const calling = files.filter((file) => opens.test(sourceOf(file).replace(harmless.get(file) ?? "\0", "")));
    assert.deepEqual(new Set(calling), new Set([...byOperator, ...judged]));
    const users = files.filter((file) => !file.startsWith("webhooks/egress/") && /egress\/(connect-pinned|exchange-post|resolve-name)\.ts"/.test(sourceOf(file)));
    assert.deepEqual(users, [], "they go through post-outwards.ts");
    assert.match(sourceOf("money/ledger/log/witness/ask-witnesses.ts"), /redirect: "manual"/);
    // The three clients connect only where the settings say.
    const clients = files.filter((file) => /import (?!type)[^;]*"(nodemailer|pg|ioredis)"|import\("(nodemailer|pg|ioredis)"\)/.test(sourceOf(file)));
    assert.deepEqual(clients.filter((file) => !/^(mail|store|access|transfer)\//.test(file)), []);
  });

  it("evaluates no strings as code", () => {
    // Redis runs our own scripts: see access/limits/take-script.ts.
    const risky = /(?<!redis\.|\w\.)\beval\(|new Function\(|child_process|node:vm"/;
    assert.deepEqual(files.filter((file) => risky.test(sourceOf(file))), []);
  });

  it("builds no SQL from text, but for a list of places that put in names and numbers of our own [threat: sql-injection]", () => {
    const places = Map.groupBy(
      files.flatMap((file) => findBuiltSql(sourceOf(file)).map((place) => ({ file: file.replace(/^store\/migrations\/.*/, "store/migrations/"), ...place }))),
      ({ file }) => file,
    );
    const counts = Object.fromEntries([...places].filter(([file]) => file !== "store/migrations/").map(([file, found]) => [file, found.length]));
    const lines = [...places.values()].flat().map(({ file, line, kind, code }) => `${file}:${line} ${kind} ${code}`);
    assert.deepEqual(counts, Object.fromEntries(Object.entries(builtSqlAllowed).map(([file, { places: allowed }]) => [file, allowed])), lines.join("\n"));
    assert(places.get("store/migrations/")!.every(({ kind }) => kind === "template"), "migrations are lists of texts, without input");
  });

  it("sees every kind of built SQL", () => {
    const planted: [BuiltSql["kind"], string][] = [
      ["raw", "db.selectFrom('a').where(sql.raw(name), '=', 1)"],
      ["raw", "sql`select ${sql.lit(given)}`"],
      ["raw", "sql`select ${sql.ref(column)} from ${sql.table(table)}`"],
      ["raw", "sql`order by ${sql.id(given)}`"],
      ["template", "await client.query(`SELECT 1 FROM ${table}`)"],
      ["template", "database.exec(`PRAGMA cache_size = ${size}`)"],
      ["template", "database.prepare(`x ${y}`)"],
      ["template", "const text = `update accounts set email = '${email}'`"],
      ["concatenation", "await pool.query('SELECT * FROM a WHERE id = ' + id)"],
      ["concatenation", "const text = 'DELETE FROM ' + table + ' WHERE true'"],
      ["variable", "await client.query(text)"],
      ["variable", "let text = 'SELECT 1'; database.prepare(text)"],
      ["variable", "await client.query({ text, values })"],
    ];
    for (const [kind, code] of planted) assert.equal(findBuiltSql(code)[0]?.kind, kind, code);
    const harmless = ["sql`select ${value}`", "client.query('SELECT $1', [id])", "const text = 'SELECT 1'; database.prepare(text)", "/x/.exec(`a ${b}`)", "sql.ref('a.b')", "log(`Updated ${name}`)"];
    for (const code of harmless) assert.deepEqual(findBuiltSql(code), [], code);
  });

  it("has no regular expressions with nested repetition (ReDoS) [threat: redos]", () => {
    const nested = /\((?:\?[:=!<]*)?[^()]*(?:[^\\()]|\\.)[+*](?:\?)?[^()]*\)(?:[+*]|\{\d+,\})/;
    const patterns = files.flatMap((file) => [...sourceOf(file).matchAll(/(?<=[=(:,!&|?\s[])\/(?![/*\s])((?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+)\/[dgimsuvy]*/g)].map(([, pattern]) => ({ file, pattern: pattern! })));
    assert(patterns.length > 50, String(patterns.length));
    assert.deepEqual(patterns.filter(({ pattern }) => nested.test(pattern)), []);
    assert(nested.test("^(a+)+$") && nested.test("(?:x*y)*") && nested.test("(\\w+\\s?)*z") && !nested.test("(a{1,5})\\1+"), "the check finds such patterns");
  });
});
