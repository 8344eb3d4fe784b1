import fastify from "fastify";
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { createFailureReport, replyFailures } from "../../http/reply-failures.ts";
import { addPages, type PagesContext } from "./pages.routes.ts";

const folder = mkdtempSync(join(tmpdir(), "assay-pages-"));

async function openPages(changes: Partial<PagesContext> = {}) {
  const app = fastify({ logger: false, routerOptions: { ignoreTrailingSlash: true } });
  replyFailures(app, createFailureReport({ log: app.log, onFailure: () => undefined }));
  await addPages(app, {
    distFolder: folder,
    publicUrl: undefined,
    imagesUrl: () => undefined,
    version: "1.2.3",
    modelVersion: "model-9",
    priceUsd: 0.05,
    payerExplained: "Calls are paid from the operator's funds.",
    ...changes,
  });
  return app;
}

before(() => {
  mkdirSync(join(folder, "dashboard", "assets"), { recursive: true });
  mkdirSync(join(folder, "model-card"));
  writeFileSync(join(folder, "index.html"), '<p nonce="{{nonce}}">{{price_usd}} USD. {{payer_explained}} {{address}} {{version}} {{model_version}}</p>');
  writeFileSync(join(folder, "model-card", "index.html"), "<h1>Card</h1>");
  writeFileSync(join(folder, "dashboard", "index.html"), '<div id="root"></div>');
  writeFileSync(join(folder, "dashboard", "logo.svg"), "<svg/>");
  writeFileSync(join(folder, "dashboard", "color-scheme.js"), "1;");
  writeFileSync(join(folder, "dashboard", "licences.txt"), "MIT");
  writeFileSync(join(folder, "dashboard", "assets", "app-abc123.js"), "plain");
  writeFileSync(join(folder, "dashboard", "assets", "app-abc123.js.br"), "brotli");
});
after(() => rmSync(folder, { recursive: true, force: true }));

describe("pages", () => {
  it("state the price and who pays in the HTML of the landing page", async () => {
    const app = await openPages();
    const { body, statusCode } = await app.inject({ url: "/", headers: { host: "assay.test:8080" } });
    assert.equal(statusCode, 200);
    assert.match(body, /0\.05 USD\. Calls are paid from the operator&#39;s funds\. http:\/\/assay\.test:8080 1\.2\.3 model-9/);
  });

  it("forbid inline scripts, other origins and framing [threat: script-in-a-page]", async () => {
    const app = await openPages();
    for (const url of ["/", "/model-card", "/dashboard", "/dashboard/keys", "/dashboard/a/b/c"]) {
      const { headers, statusCode } = await app.inject({ url });
      assert.equal(statusCode, 200, url);
      const policy = String(headers["content-security-policy"]);
      assert.match(policy, /default-src 'none'; script-src 'self';/);
      assert.match(policy, /frame-ancestors 'none'/);
      assert.doesNotMatch(policy, /unsafe|\*|https?:|data:/);
      assert.equal(headers["x-frame-options"], "DENY");
      assert.equal(headers["x-content-type-options"], "nosniff");
      assert.match(String(headers["cache-control"]), /no-cache/);
    }
  });

  it("tell nobody their address if it has the token of a mailed link", async () => {
    const app = await openPages();
    const policyOf = async (url: string) => (await app.inject({ url })).headers["referrer-policy"];
    for (const name of ["verify-email", "confirm-email", "reset-password"]) assert.equal(await policyOf(`/dashboard/${name}?token=abc`), "no-referrer", name);
    assert.equal(await policyOf("/dashboard/keys"), "same-origin");
  });

  it("allow images, and only images, from the CDN's origin", async () => {
    const app = await openPages({ imagesUrl: () => "https://cdn.example.com/assay" });
    const policy = String((await app.inject({ url: "/dashboard/ads" })).headers["content-security-policy"]);
    assert.match(policy, /; img-src 'self' https:\/\/cdn\.example\.com;/);
    assert.equal(policy.split("https://cdn.example.com").length, 2);
  });

  it("have a new nonce per request, the same in the page and its policy [threat: script-in-a-page]", async () => {
    const app = await openPages();
    const nonces = await Promise.all(
      [1, 2].map(async () => {
        const { body, headers } = await app.inject({ url: "/" });
        const nonce = /nonce="([^"]+)"/.exec(body)?.[1] ?? "";
        assert.ok(nonce.length >= 22);
        assert.ok(String(headers["content-security-policy"]).includes(`'nonce-${nonce}'`));
        return nonce;
      }),
    );
    assert.notEqual(nonces[0], nonces[1]);
  });

  it("serve hashed files compressed and cacheable forever", async () => {
    const app = await openPages();
    const plain = await app.inject({ url: "/dashboard/assets/app-abc123.js" });
    assert.equal(plain.body, "plain");
    assert.equal(plain.headers["cache-control"], "public, max-age=31536000, immutable");
    assert.equal(plain.headers["x-content-type-options"], "nosniff");
    const small = await app.inject({ url: "/dashboard/assets/app-abc123.js", headers: { "accept-encoding": "br" } });
    assert.equal(small.body, "brotli");
    assert.equal(small.headers["content-encoding"], "br");
    assert.match(String(small.headers["content-type"]), /javascript/);
    const logo = await app.inject({ url: "/dashboard/logo.svg" });
    assert.equal(logo.headers["cache-control"], "public, no-cache");
    assert.equal((await app.inject({ url: "/favicon.ico" })).headers.location, "/dashboard/logo.svg");
  });

  it("serve the licences of what they contain as plain text", async () => {
    const { body, headers } = await (await openPages()).inject({ url: "/dashboard/licences.txt" });
    assert.deepEqual([body, headers["content-type"]], ["MIT", "text/plain; charset=utf-8"]);
  });

  it("answer 404 for unknown files, unknown API paths and path traversal [threat: path-traversal]", async () => {
    const app = await openPages();
    for (const url of ["/dashboard/assets/none.js", "/dashboard/api", "/dashboard/api/none", "/dashboard/assets/..%2f..%2findex.html"]) {
      const { statusCode, headers } = await app.inject({ url });
      assert.equal(statusCode, 404, url);
      assert.match(String(headers["content-type"]), /json/, url);
    }
  });

  it("never repeat an invalid Host", async () => {
    const app = await openPages();
    const { body } = await app.inject({ url: "/", headers: { host: '"><script>alert(1)</script>' } });
    assert.doesNotMatch(body, /alert/);
  });

  it("show PUBLIC_URL if it is set", async () => {
    const app = await openPages({ publicUrl: "https://assay.example.com" });
    assert.match((await app.inject({ url: "/" })).body, /https:\/\/assay\.example\.com/);
  });

  it("answer 404 with the command to run if nothing was built", async () => {
    const app = await openPages({ distFolder: join(folder, "nothing-here") });
    const { statusCode, body } = await app.inject({ url: "/dashboard/keys" });
    assert.equal(statusCode, 404);
    assert.match(body, /npm start/);
  });
});
