import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { makeChain, makeSigner, placesOf, rootOf, type Signer, SmallLog } from "../../test/log/small-log.ts";
import { serveSmallLog, type SmallLogServer } from "../../test/log/serve-small-log.ts";
import { GrowingTree } from "./growing-tree.ts";
import { openPublishedLog } from "./read-published-log.ts";
import { LogFault, verifyPublishedLog } from "./verify-published-log.ts";

const origin = "assay.example/log";
const nowMs = Date.UTC(2026, 0, 1);
const strangers = makeChain("acct_stranger", 600);

describe("a log verified from outside", () => {
  let signer: Signer;
  let server: SmallLogServer;
  const chain = makeChain("acct_own", 100);

  /** The stranger's entries, with ours in two runs among them. */
  function makeLog(own = chain): SmallLog {
    const log = new SmallLog(origin, [signer]);
    log.append(...placesOf(strangers.slice(0, 300)), ...placesOf(own.slice(0, 60)), ...placesOf(strangers.slice(300)), ...placesOf(own.slice(60)));
    return log;
  }

  function verify(options: { lastNote?: string; withOwnEntries?: boolean; logKeys?: string[]; witnessKeys?: string[]; nowMs?: number } = {}) {
    const log = openPublishedLog(server.url, { apiKey: "assay_live_x", onWait: () => undefined });
    const { lastNote, withOwnEntries = false, logKeys = [signer.vkey], witnessKeys = [] } = options;
    return verifyPublishedLog({ log, path: "/log", keys: { logKeys, witnessKeys }, lastNote, withOwnEntries, nowMs: options.nowMs ?? nowMs, onProgress: () => undefined });
  }

  const faultOf = async (run: Promise<unknown>): Promise<string> => {
    const error: unknown = await run.then(() => assert.fail("it passed"), (reason: unknown) => reason);
    assert.ok(error instanceof LogFault, String(error));
    return error.message;
  };

  before(async () => {
    signer = await makeSigner(origin);
    server = await serveSmallLog({ log: makeLog(), entries: chain });
  });
  after(() => server.stop());

  it("is recomputed from its leaves, tile by tile, and the own entries are found in it", async () => {
    server.served.log = makeLog();
    const report = await verify({ withOwnEntries: true });
    assert.deepEqual([report.opened.checkpoint.size, report.tiles, report.consistentWith], [700, 4, undefined]);
    assert.deepEqual(report.own, { count: 100, inLog: 100, notLoggedYet: 0, receipt: `100.${chain[99]!.hash}` });
    const tiles = server.requests.filter((path) => path.startsWith("/log/tile/"));
    assert.deepEqual(tiles.toSorted(), ["/log/tile/0/000", "/log/tile/0/001", "/log/tile/0/002.p/188", "/log/tile/1/000.p/2"]);
  });

  it("continues what was seen last, at every size", async () => {
    const log = makeLog();
    server.served.log = log;
    for (const size of [0, 1, 255, 256, 257, 700]) assert.equal((await verify({ lastNote: log.note(size) })).consistentWith, size);
  });

  it("is caught when entries that somebody saw were rewritten or removed [threat: rewritten-log]", async () => {
    const seen = makeLog().note(310);
    server.served.log = makeLog(makeChain("acct_own", 100, { ref: "other" }));
    assert.match(await faultOf(verify({ lastNote: seen })), /The first 310 entries .* the log was rewritten/);
    const short = new SmallLog(origin, [signer]);
    short.append(...placesOf(strangers.slice(0, 300)));
    server.served.log = short;
    assert.match(await faultOf(verify({ lastNote: seen })), /310 entries last, and now the log has 300: entries were removed/);
  });

  it("is not taken for the log that was seen last when it has another name", async () => {
    const seen = makeLog().note();
    const second = await makeSigner(`${origin}/2`);
    server.served.log = new SmallLog(`${origin}/2`, [second]);
    server.served.log.append(...placesOf(chain));
    assert.match(await faultOf(verify({ lastNote: seen, logKeys: [signer.vkey, second.vkey] })), /assay\.example\/log last, but the service now shows assay\.example\/log\/2/);
  });

  it("is caught when it has other leaves than those that were signed", async () => {
    const log = new SmallLog(origin, [signer]);
    log.append(...placesOf(strangers.slice(0, 30)));
    log.leaves[7] = Buffer.alloc(32, 7);
    const signed = new SmallLog(origin, [signer]);
    signed.append(...placesOf(strangers.slice(0, 30)));
    log.note = () => signed.note();
    server.served.log = log;
    assert.match(await faultOf(verify()), /The tiles do not give the root of the signed checkpoint of 30 entries/);
  });

  it("is caught when a tile of any level does not fit the others", async () => {
    const honest = makeLog();
    for (const [level, expected] of [[0, /do not give the root|differs from what/], [1, /1\/000\.p\/2 differs from what the tiles below it give/]] as const) {
      const log = makeLog();
      log.tile = (tile) => {
        const hashes = honest.tile(tile);
        if (hashes && tile.level === level && tile.index === 0) hashes[40] = hashes[40]! ^ 1;
        return hashes;
      };
      server.served.log = log;
      assert.match(await faultOf(verify()), expected);
    }
    const log = makeLog();
    log.tile = (tile) => honest.tile(tile)?.subarray(0, -32);
    server.served.log = log;
    assert.match(await faultOf(verify()), /has \d+ bytes instead of/);
    log.tile = () => undefined;
    assert.match(await faultOf(verify()), /The log has no 0\/000, which its checkpoint covers/);
  });

  it("is caught when it leaves out one of the own entries, but not for one that is too new", async () => {
    const log = new SmallLog(origin, [signer]);
    log.append(...placesOf(chain.slice(0, 50)), ...placesOf(chain.slice(51)));
    server.served.log = log;
    assert.match(await faultOf(verify({ withOwnEntries: true })), /Your entry 51 of 2023-11-14T.* is not in the log/);
    const all = new SmallLog(origin, [signer]);
    all.append(...placesOf(chain.slice(0, 98)));
    server.served.log = all;
    const report = await verify({ withOwnEntries: true, nowMs: chain[98]!.at + 60_000 });
    assert.deepEqual(report.own, { count: 100, inLog: 98, notLoggedYet: 2, receipt: `100.${chain[99]!.hash}` });
  });

  it("is caught when the own chain is broken", async () => {
    server.served.log = makeLog();
    server.served.entries = chain.with(69, { ...chain[69]!, developer_micro: 1, platform_micro: 49_999 });
    assert.match(await faultOf(verify({ withOwnEntries: true })), /Your entry 70 breaks the chain: changed_entry/);
    server.served.entries = chain;
  });

  it("is not accepted when another key has signed it", async () => {
    server.served.log = new SmallLog(origin, [await makeSigner(origin)]);
    await assert.rejects(verify(), { code: "unknown_log" });
  });
});

describe("a tree that grows leaf by leaf", () => {
  it("has the root of RFC 6962 at every size", () => {
    const leaves = Array.from({ length: 300 }, (_, index) => Buffer.alloc(32, index % 251));
    const tree = new GrowingTree();
    assert.deepEqual(Buffer.from(tree.root()), rootOf([]));
    for (const [index, leaf] of leaves.entries()) {
      tree.append(leaf);
      assert.deepEqual(Buffer.from(tree.root()), rootOf(leaves.slice(0, index + 1)), `size ${index + 1}`);
    }
  });
});
