import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import fastify, { type FastifyInstance } from "fastify";
import { isProxied } from "./is-proxied.ts";

const visitor = "203.0.113.77";
const [edge, inner] = ["10.0.0.1", "10.0.0.2"];
const developersProxy = "198.51.100.9";

/** Which address counts, and whether a proxy that nobody named passed the request on. */
const seen = async (app: FastifyInstance, remoteAddress: string, headers: Record<string, string | string[]> = {}): Promise<{ ip: string; proxied: boolean }> =>
  (await app.inject({ url: "/", remoteAddress, headers: headers as Record<string, string> })).json();

function serve(trustProxy: string[] | false): FastifyInstance {
  const app = fastify({ trustProxy });
  app.get("/", (request) => ({ ip: request.ip, proxied: isProxied(request) }));
  return app;
}

describe("a request that a proxy passed on", () => {
  let direct: FastifyInstance;
  let behind: FastifyInstance;
  before(() => {
    direct = serve(false);
    behind = serve(["10.0.0.0/8"]);
  });
  after(() => Promise.all([direct.close(), behind.close()]));

  it("without TRUST_PROXY is told by what any proxy says of itself", async () => {
    assert.deepEqual(await seen(direct, visitor), { ip: visitor, proxied: false });
    for (const headers of [{ "x-forwarded-for": visitor }, { forwarded: `for=${visitor}` }, { via: "1.1 proxy" }, { "x-forwarded-for": "unknown" }] as Record<string, string>[]) {
      assert.deepEqual(await seen(direct, developersProxy, headers), { ip: developersProxy, proxied: true }, JSON.stringify(headers));
    }
  });

  it("of the operator is not one that anybody is told of, over any number of hops", async () => {
    for (const [address, forwarded] of [[edge, visitor], [inner, `${visitor}, ${edge}`], [inner, `${visitor},${edge},10.9.9.9`], [edge, `2001:db8::1`]] as const) {
      const { proxied, ip } = await seen(behind, address, { "x-forwarded-for": forwarded });
      assert.deepEqual([ip, proxied], [forwarded.split(",")[0], false], forwarded);
    }
    // What the operator's own proxy adds to every request says nothing about the visitor.
    assert.deepEqual(await seen(behind, edge, { "x-forwarded-for": visitor, via: "1.1 edge", forwarded: `for=${visitor}` }), { ip: visitor, proxied: false });
    assert.deepEqual(await seen(behind, edge, { "x-forwarded-for": ` ,${visitor}, ` }), { ip: visitor, proxied: false }, "empty entries name nobody");
    assert.deepEqual(await seen(behind, edge, { "x-forwarded-for": "" }), { ip: edge, proxied: false });
  });

  it("of a developer, before the operator's, is told; its address counts, not what it claims [threat: proxy-headers]", async () => {
    assert.deepEqual(await seen(behind, edge, { "x-forwarded-for": `${visitor}, ${developersProxy}` }), { ip: developersProxy, proxied: true });
    assert.deepEqual(await seen(behind, inner, { "x-forwarded-for": `${visitor}, ${developersProxy}, ${edge}` }), { ip: developersProxy, proxied: true });
  });

  it("that nobody trusts cannot choose an address by inventing headers [threat: proxy-headers]", async () => {
    for (const forged of ["127.0.0.1", "10.1.2.3", `${visitor}, 10.0.0.9`, "::1", "not an address", ",,,"]) {
      // Straight to the node.
      assert.equal((await seen(direct, developersProxy, { "x-forwarded-for": forged })).ip, developersProxy, forged);
      assert.equal((await seen(behind, developersProxy, { "x-forwarded-for": forged })).ip, developersProxy, forged);
      // Through the operator's proxy, which appends who it heard it from.
      const { ip, proxied } = await seen(behind, edge, { "x-forwarded-for": `${forged}, ${developersProxy}` });
      assert.equal(ip, developersProxy, forged);
      assert.equal(proxied, forged !== ",,,", forged);
    }
  });
});
