import fastify from "fastify";
import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import { createFailureReport, replyFailures } from "../http/reply-failures.ts";
import { makeTestFolder } from "../../test/start-service.ts";
import { addCollectorScriptRoute } from "./collector-script.route.ts";

const url = "/c/v1/collector.js";
const script = `console.log("${"measured ".repeat(100)}");`;

function openRoute(text: string | undefined) {
  const distFolder = makeTestFolder();
  const folder = join(distFolder, "c", "v1");
  if (text !== undefined) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "collector.js"), text);
    writeFileSync(join(folder, "collector.js.br"), brotliCompressSync(text));
    writeFileSync(join(folder, "collector.js.gz"), gzipSync(text));
  }
  const app = fastify({ logger: false });
  replyFailures(app, createFailureReport({ log: app.log, onFailure: () => undefined }));
  addCollectorScriptRoute(app, { distFolder });
  return { app, folder };
}

describe("the collector's script", () => {
  it("may be loaded by pages of every origin, checked by its hash, and kept for an hour", async () => {
    const { app } = openRoute(script);
    const { statusCode, headers, body } = await app.inject({ url, headers: { origin: "https://shop.example" } });
    assert.deepEqual([statusCode, body], [200, script]);
    assert.equal(headers["content-type"], "text/javascript; charset=utf-8");
    assert.equal(headers["cache-control"], "public, max-age=3600");
    assert.equal(headers["access-control-allow-origin"], "*");
    assert.equal(headers["cross-origin-resource-policy"], "cross-origin");
    assert.equal(headers["content-encoding"], undefined);
    assert.equal(headers.vary, "accept-encoding");
  });

  it("is sent as the browser can read it, in as few bytes as possible", async () => {
    const { app } = openRoute(script);
    const get = async (accepted: string) => {
      const { headers, rawPayload } = await app.inject({ url, headers: { "accept-encoding": accepted } });
      return { encoding: headers["content-encoding"], bytes: rawPayload };
    };
    for (const accepted of ["gzip, deflate, br, zstd", "br;q=0.5", "BR"]) {
      const { encoding, bytes } = await get(accepted);
      assert.deepEqual([encoding, brotliDecompressSync(bytes).toString()], ["br", script], accepted);
    }
    for (const accepted of ["gzip, deflate", "br;q=0, gzip", "br; q=0.000 ,gzip;q=0.1"]) {
      const { encoding, bytes } = await get(accepted);
      assert.deepEqual([encoding, gunzipSync(bytes).toString()], ["gzip", script], accepted);
    }
    for (const accepted of ["", "identity", "gzip;q=0, br;q=0", "brotli, xgzip"]) {
      const { encoding, bytes } = await get(accepted);
      assert.deepEqual([encoding, bytes.toString()], [undefined, script], accepted);
    }
  });

  it("is not sent again to those who have it, in the form that they have", async () => {
    const { app } = openRoute(script);
    const { headers: plain } = await app.inject({ url });
    const { headers: small } = await app.inject({ url, headers: { "accept-encoding": "br" } });
    assert.notEqual(plain.etag, small.etag);
    const statusOf = async (tag: string, accepted = "") => (await app.inject({ url, headers: { "if-none-match": tag, "accept-encoding": accepted } })).statusCode;
    const known = String(plain.etag);
    assert.deepEqual([await statusOf(known), await statusOf(`"x", W/${known}`), await statusOf("*")], [304, 304, 304]);
    assert.deepEqual([await statusOf(String(small.etag), "br"), await statusOf(known, "br"), await statusOf('"x"'), await statusOf(known.slice(1, -1))], [304, 200, 200, 200]);
    const { headers, body } = await app.inject({ url, headers: { "if-none-match": known } });
    assert.deepEqual([headers.etag, headers["cache-control"], body], [known, "public, max-age=3600", ""]);
  });

  it("is of the version that runs, also when a later one was built", async () => {
    const { app, folder } = openRoute(script);
    await app.inject({ url });
    writeFileSync(join(folder, "collector.js"), "later");
    assert.equal((await app.inject({ url })).body, script);
    rmSync(folder, { recursive: true });
    assert.equal((await app.inject({ url })).body, script);
  });

  it("is a 404 with the command to run until it is built", async () => {
    const { app, folder } = openRoute(undefined);
    const { statusCode, body, headers } = await app.inject({ url });
    assert.equal(statusCode, 404);
    assert.match(body, /npm start/);
    assert.equal(headers["access-control-allow-origin"], undefined);
    mkdirSync(folder, { recursive: true });
    for (const suffix of ["", ".br", ".gz"]) writeFileSync(join(folder, `collector.js${suffix}`), script);
    assert.equal((await app.inject({ url })).statusCode, 200);
  });
});
