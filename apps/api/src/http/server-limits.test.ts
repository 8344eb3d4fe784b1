import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { openApp } from "../../test/open-app.ts";
import { connectionsMaxOf, parseOpenFiles } from "./server-limits.ts";

const limits = `Limit                     Soft Limit           Hard Limit           Units
Max processes             95867                95867                processes
Max open files            1024                 524288               files
Max locked memory         8388608              8388608              bytes
`;

describe("the number of connections", () => {
  it("stays below the open-file limit, so that the service can always open its own files [threat: idle-connections]", () => {
    assert.equal(parseOpenFiles(limits), 1_024);
    assert.equal(connectionsMaxOf(1_024), 256, "each may hold a file that is being sent");
    assert.equal(connectionsMaxOf(10), 1);
  });

  it("is bounded if files are unlimited or their limit is unknown", () => {
    assert.equal(parseOpenFiles(limits.replace(/1024 /, "unlimited")), Number.POSITIVE_INFINITY);
    assert.equal(connectionsMaxOf(Number.POSITIVE_INFINITY), 16_384);
    assert.equal(parseOpenFiles("some other text"), undefined);
    assert.equal(connectionsMaxOf(undefined), 1_792);
  });
});

describe("the server that answers", () => {
  it("has every limit of connections and requests [threat: slow-connection]", async () => {
    const { app, close } = await openApp();
    // Some are not in the types of Node, which has them as plain properties.
    const server = app.server as unknown as Record<string, unknown>;
    assert.deepEqual(
      {
        keepAliveTimeout: server.keepAliveTimeout,
        requestTimeout: server.requestTimeout,
        headersTimeout: server.headersTimeout,
        timeout: server.timeout,
        maxHeaderSize: server.maxHeaderSize,
        maxRequestsPerSocket: server.maxRequestsPerSocket,
        connectionsCheckingInterval: server.connectionsCheckingInterval,
        joinDuplicateHeaders: server.joinDuplicateHeaders,
        requireHostHeader: server.requireHostHeader,
        insecureHTTPParser: server.insecureHTTPParser,
      },
      {
        keepAliveTimeout: 72_000,
        requestTimeout: 30_000,
        headersTimeout: 10_000,
        timeout: 30_000,
        maxHeaderSize: 16 * 1024,
        maxRequestsPerSocket: 0,
        connectionsCheckingInterval: 2_000,
        joinDuplicateHeaders: true,
        requireHostHeader: false,
        insecureHTTPParser: false,
      },
    );
    assert.ok(app.server.maxConnections > 0 && app.server.maxConnections <= 16_384);
    assert.equal(app.server.listenerCount("request"), 1, "a request is handled once");
    await close();
  });
});
