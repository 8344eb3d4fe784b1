import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { clientCalls } from "../../src/samples/client-calls.ts";
import { sampleLanguages } from "../../src/samples/write-sample.ts";
import { findMissing } from "./find-missing.ts";
import { type OpenApi, routesOf } from "./openapi.ts";
import { renderReference } from "./render-page.ts";
import { readErrorRows } from "./render-errors.ts";

const docs = join(import.meta.dirname, "../../../../docs");
const errors = readFileSync(join(docs, "errors.md"), "utf8");
const guide = readFileSync(join(import.meta.dirname, "../../docs/guide.html"), "utf8");
const document = JSON.parse(readFileSync(join(docs, "openapi.json"), "utf8")) as OpenApi;
const surface = readFileSync(join(docs, "api-surface.txt"), "utf8").trimEnd().split("\n");
const html = renderReference({ document, errors, guide });
const routes = routesOf(document);
const articleOf = (id: string): string => html.split('<article class="operation').find((part) => part.includes(` id="${id}" aria-`))?.split("</article>")[0] ?? "";

describe("the reference page", () => {
  it("shows every call, field, choice, header, status and event of docs/api-surface.txt", () => {
    assert.ok(surface.length > 2_000);
    assert.deepEqual(findMissing(html, { document, surface }), []);
  });

  it("would be caught without any of them", () => {
    const without: [RegExp | string, RegExp][] = [
      ['id="predict.body.session_data.scroll_depth"', /takes body\.session_data\.scroll_depth\?/],
      ['id="analyze.200.contributions.points"', /analyze 200 body\.contributions\[\]\.points/],
      ['id="payout.paid.data.month"', /event payout\.paid sends body\.data\.month/],
      ['id="payout.paid"', /event payout\.paid takes 200: is not there/],
      ['id="predict.429"', /predict 429 header Retry-After/],
      ['id="predict.header.Idempotency-Key"', /takes header Idempotency-Key\?: is not there/],
      ['id="event.header.webhook-id"', /sends header webhook-id: is not there/],
      ['id="rate_limit_exceeded"', /429 body\.error = rate_limit_exceeded/],
      ['id="failure.retry_after"', /429 body\.retry_after: integer/],
      ["<code>high_value_user</code>", /body\.recommendation = high_value_user/],
      ['data-on="200"', /200 header Assay-Receipt: is not on it/],
      ['<span class="may">may be absent</span>', /does not say that it may be absent/],
      [/(id="predict\.body\.session_data">.*?) <span class="must">required<\/span>/, /predict takes body\.session_data: object: is wrong about whether/],
      ['id="predict.body"', /predict takes body: object: has no predict\.body/],
      ['id="event.body"', /event payout\.paid sends body: object: is not there/],
      [/(id="statement\.path\.month">.*?) <span class="must">required<\/span>/, /takes path month: is wrong about whether/],
      [/(id="predict\.200\.service_score">.*?)number/, /body\.service_score: number: says/],
      ['id="logKey"', /GET \/log\/key 200: is not there/],
    ];
    for (const [part, fault] of without) {
      const worse = typeof part === "string" ? html.replaceAll(part, "") : html.replace(part, "$1");
      assert.notEqual(worse, html, String(part));
      assert.match(findMissing(worse, { document, surface }).join("\n"), fault);
    }
  });

  it("has all codes of docs/errors.md, each linked from the calls that answer with it", () => {
    const rows = readErrorRows(errors);
    assert.ok(rows.length > 20);
    for (const { code, status } of rows) assert.match(html, new RegExp(`<tr id="${code}">.*?class="status bad">${status}<`));
    for (const { operation } of routes) {
      for (const [status, { description }] of Object.entries(operation.responses)) {
        for (const [, code] of articleOf(operation.operationId).includes("data-same") ? [] : description.matchAll(/^`(\w+)`|, `(\w+)`/g)) {
          if (Number(status) >= 400 && code !== undefined) assert.ok(articleOf(operation.operationId).includes(`href="#${code}"`), `${operation.operationId} ${code}`);
        }
      }
    }
  });

  it("has a sample in every language for each call that the clients have, and in curl for all others", () => {
    assert.equal(routes.length, html.match(/<article /g)?.length);
    for (const { operation } of routes) {
      const shown = [...articleOf(operation.operationId).matchAll(/aria-label="Request in ([^"]+)"/g)].map(([, language]) => language);
      assert.deepEqual(shown, operation.operationId in clientCalls ? sampleLanguages : ["curl"], operation.operationId);
    }
    for (const id of Object.keys(clientCalls)) assert.ok(articleOf(id) !== "", `${id} is not an operation`);
  });

  it("can send what belongs to the API and takes a test key or none", () => {
    const sent = routes.filter(({ operation }) => articleOf(operation.operationId).includes("<form ")).map(({ path }) => path);
    assert.deepEqual(sent, routes.map(({ path }) => path).filter((path) => path.startsWith("/api/") && !path.startsWith("/api/campaigns/")));
  });

  it("is not built with two elements of one id, a link to nothing, or events that differ in what is shown once", () => {
    assert.throws(() => renderReference({ document, errors, guide: '<h2 id="predict">x</h2>' }), /two elements with the id predict/);
    assert.throws(() => renderReference({ document, errors, guide: `${guide}<a href="#nowhere">x</a>` }), /links to #nowhere/);
    const other = structuredClone(document);
    other.webhooks["payout.paid"]!.post.parameters!.pop();
    assert.throws(() => renderReference({ document: other, errors, guide }), /payout\.paid differs|differs from other events/);
  });

  it("escapes what the document says", () => {
    const hostile = structuredClone(document);
    const [path] = Object.values(hostile.paths);
    const [operation] = Object.values(path!);
    operation!.summary = operation!.description = '<img src=x onerror="1">';
    assert.doesNotMatch(renderReference({ document: hostile, errors, guide }), /<img/);
  });
});
