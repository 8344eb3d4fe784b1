import type { LedgerEntry } from "@assay/contract/dashboard/ledger.ts";
import { judgeEvidence } from "@assay/tlog/evidence.ts";
import { cosignatureType } from "@assay/tlog/note.ts";
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { makeChain, makeSigner, placesOf, type Signer, SmallLog } from "../../../apps/api/test/log/small-log.ts";
import { serveSmallLog, type SmallLogServer } from "../../../apps/api/test/log/serve-small-log.ts";
import { Assay, type LogTrust, memoryReceipts, ReceiptError, type ReceiptStore } from "./assay.ts";

const origin = "assay.example/log";
const signals = { user_engagement: 0.75, session_duration: 180 };
const apiKey = "assay_live_0123456789abcdefghijklmnopqrstuv012345";
const receiptOf = ({ seq, hash }: LedgerEntry) => `${seq}.${hash}`;

describe("the SDK and receipts", () => {
  let signer: Signer;
  let server: SmallLogServer;
  let receipts: ReceiptStore;
  const written: string[] = [];
  const chain = makeChain("acct_own", 40);
  /** Another history of the same account. */
  const rewritten = makeChain("acct_own", 40, { ref: "other" });
  const strangers = makeChain("acct_stranger", 20);

  const open = (log?: LogTrust) => new Assay({ apiKey, baseUrl: server.url, receipts, attemptsMax: 1, ...(log && { log }) });

  function makeLog(...chains: LedgerEntry[][]): SmallLog {
    const log = new SmallLog(origin, [signer]);
    log.append(...placesOf(strangers), ...chains.flatMap(placesOf));
    return log;
  }

  async function errorOf(call: Promise<unknown>): Promise<ReceiptError> {
    const error: unknown = await call.then(() => assert.fail("it was confirmed"), (reason: unknown) => reason);
    assert.ok(error instanceof ReceiptError, String(error));
    return error;
  }

  before(async () => {
    signer = await makeSigner(origin);
    server = await serveSmallLog({ log: makeLog(), entries: [] });
  });
  beforeEach(() => {
    const memory = memoryReceipts();
    written.length = 0;
    receipts = {
      read: (name) => memory.read(name),
      write(name, text) {
        written.push(text);
        return memory.write(name, text);
      },
    };
    server.served.hidesFromSeq = undefined;
    server.served.log = makeLog(chain.slice(0, 30));
    server.served.entries = chain.slice(0, 30);
  });
  after(() => server.stop());

  it("keeps the newest receipt per key, in whatever order the answers come", async () => {
    const other = new Assay({ apiKey: `${apiKey}x`, baseUrl: server.url, receipts });
    const { promise: isOpen, resolve: openStore } = Promise.withResolvers<void>();
    const { read } = receipts;
    receipts.read = (name) => isOpen.then(() => read(name));
    const assay = open();
    server.served.receipts = [chain[3]!, chain[7]!, chain[5]!].map(receiptOf);
    // Calls do not wait for the store.
    await assay.predict(signals);
    await assay.score(signals);
    await assay.analyze(signals);
    openStore();
    assert.equal(await assay.newestReceipt(), receiptOf(chain[7]!));
    assert.equal(await open().newestReceipt(), receiptOf(chain[7]!), "another process with the same store");
    assert.equal(await other.newestReceipt(), undefined);
  });

  it("confirms the newest receipt, tells where it is in the log, and keeps what it saw", async () => {
    server.served.receipts = [receiptOf(chain[29]!)];
    const assay = open();
    await assay.predict(signals);
    const verified = await assay.verifyReceipt();
    assert.deepEqual(
      { ...verified, proof: undefined },
      { receipt: receiptOf(chain[29]!), accountId: "acct_own", origin, index: 49, size: 50, proof: undefined, witnessedBy: [], continuesSize: undefined, isNewLog: false },
    );
    assert.match(verified.proof, /^c2sp\.org\/tlog-proof@v1\n/);
    server.served.log = makeLog(chain);
    server.served.entries = chain;
    const later = await open().verifyReceipt(receiptOf(chain[39]!));
    assert.deepEqual([later.continuesSize, later.size, later.isNewLog], [50, 60, false]);
  });

  it("says that an entry is not logged yet when it is in the ledger, which may pass", async () => {
    server.served.entries = chain;
    const error = await errorOf(open().verifyReceipt(receiptOf(chain[35]!)));
    assert.deepEqual([error.code, error.isContradiction, error.isRetryable], ["not_logged_yet", false, true]);
  });

  it("catches a rewritten chain by the kept receipt, whether or not the log was rewritten with it [threat: rewritten-chain]", async () => {
    server.served.log = makeLog(rewritten.slice(0, 30));
    server.served.entries = rewritten.slice(0, 30);
    const changed = await errorOf(open().verifyReceipt(receiptOf(chain[29]!)));
    assert.deepEqual([changed.code, changed.isContradiction, changed.isRetryable, changed.evidence], ["entry_changed", true, false, undefined]);
    assert.match(changed.message, /Entry 30 is no longer the one of your receipt: the chain was rewritten/);
    server.served.log = makeLog();
    assert.equal((await errorOf(open().verifyReceipt(receiptOf(chain[29]!)))).code, "entry_changed");
    server.served.entries = rewritten.slice(0, 20);
    assert.equal((await errorOf(open().verifyReceipt(receiptOf(chain[29]!)))).code, "entry_missing");
  });

  it("catches a rewritten log by the kept checkpoint [threat: rewritten-log]", async () => {
    await open().verifyReceipt(receiptOf(chain[4]!));
    // The entry of the receipt is untouched, at the same place; entries after it are others.
    server.served.log = makeLog([...chain.slice(0, 5), ...rewritten.slice(5)]);
    const error = await errorOf(open().verifyReceipt(receiptOf(chain[4]!)));
    assert.deepEqual([error.code, error.isContradiction], ["log_rewritten", true]);
    server.served.log = makeLog(chain.slice(0, 10));
    assert.equal((await errorOf(open().verifyReceipt(receiptOf(chain[4]!)))).code, "log_rewritten", "a log that lost its end");
  });

  it("catches a log of the same size with other entries", async () => {
    await open().verifyReceipt(receiptOf(chain[4]!));
    server.served.log = makeLog([...chain.slice(0, 29), rewritten[29]!]);
    assert.equal((await errorOf(open().verifyReceipt(receiptOf(chain[4]!)))).code, "log_rewritten");
  });

  it("catches an entry that is in the ledger and not in the log", async () => {
    const signed = makeLog(rewritten.slice(0, 30));
    server.served.log.note = () => signed.note();
    const error = await errorOf(open().verifyReceipt(receiptOf(chain[4]!)));
    assert.deepEqual([error.code, error.isContradiction], ["not_included", true]);
  });

  it("catches a chain that was rewritten and logged once more, with evidence that convinces anybody [threat: relogged-chain]", async () => {
    await open().verifyReceipt(receiptOf(chain[19]!));
    server.served.log = makeLog(chain.slice(0, 30), rewritten.slice(0, 25));
    server.served.entries = rewritten.slice(0, 25);
    // The first receipt was proved before; the second one no longer has an entry.
    server.served.hidesFromSeq = 26;
    for (const receipt of [chain[19]!, chain[29]!].map(receiptOf)) {
      const error = await errorOf(open().verifyReceipt(receipt));
      assert.equal(error.isContradiction, true);
      const judged = await judgeEvidence(...(error.evidence as [string, string]), { logKeys: [signer.vkey], witnessKeys: [] });
      assert.deepEqual([judged.proves, judged.code], [true, "two_entries"]);
    }
    const [kept] = written.map((text) => JSON.parse(text) as { contradiction?: { proofs: string[] } }).slice(-1);
    assert.equal(kept?.contradiction?.proofs.length, 2);
  });

  it("believes the keys that it was given, or the first that it saw, and no others", async () => {
    const stranger = await makeSigner(origin);
    assert.equal((await errorOf(open({ logKeys: [stranger.vkey] }).verifyReceipt(receiptOf(chain[4]!)))).code, "unknown_log");
    await open().verifyReceipt(receiptOf(chain[4]!));
    server.served.log.signers.splice(0, 1, stranger);
    assert.equal((await errorOf(open().verifyReceipt(receiptOf(chain[4]!)))).code, "unknown_log");
    await open({ logKeys: [stranger.vkey] }).verifyReceipt(receiptOf(chain[4]!));
  });

  it("learns a new key while the old one still signs", async () => {
    await open().verifyReceipt(receiptOf(chain[4]!));
    const next = await makeSigner(origin);
    server.served.log.signers.unshift(next);
    await open().verifyReceipt(receiptOf(chain[4]!));
    server.served.log.signers.pop();
    await open().verifyReceipt(receiptOf(chain[4]!));
  });

  it("names the witnesses that it trusts, and insists on as many as it is told", async () => {
    const witness = await makeSigner("witness.example", cosignatureType);
    const trust = { witnessKeys: [witness.vkey], witnessesMin: 1 };
    assert.equal((await errorOf(open(trust).verifyReceipt(receiptOf(chain[4]!)))).code, "not_witnessed");
    server.served.log.signers.push(witness);
    const { witnessedBy } = await open(trust).verifyReceipt(receiptOf(chain[4]!));
    assert.deepEqual(witnessedBy, [{ name: "witness.example", atMs: 1_790_000_000_000 }]);
    assert.deepEqual((await open().verifyReceipt(receiptOf(chain[4]!))).witnessedBy, [], "nobody is a witness who was not named");
  });

  it("tells of a new log, signed with the same key under its own name", async () => {
    await open().verifyReceipt(receiptOf(chain[4]!));
    const second = await signer.rename(`${origin}/2`);
    server.served.log = new SmallLog(`${origin}/2`, [second]);
    server.served.log.append(...placesOf(chain.slice(0, 30)));
    const verified = await open().verifyReceipt(receiptOf(chain[4]!));
    assert.deepEqual([verified.isNewLog, verified.origin, verified.continuesSize], [true, `${origin}/2`, undefined]);
    assert.equal((await open().verifyReceipt(receiptOf(chain[4]!))).isNewLog, false);
    const elsewhere = await makeSigner("elsewhere.example/log");
    server.served.log.signers.splice(0, 1, elsewhere);
    assert.equal((await errorOf(open().verifyReceipt(receiptOf(chain[4]!)))).code, "unknown_log");
  });

  it("refuses what is not a receipt, and says when there is none", async () => {
    await assert.rejects(open().verifyReceipt("1.abc"), TypeError);
    assert.equal((await errorOf(open().verifyReceipt())).code, "no_receipt");
  });

  it("tells of a store that cannot be written when it is asked for the receipt, and never fails the call", async () => {
    server.served.receipts = [receiptOf(chain[4]!)];
    receipts = { read: () => undefined, write: () => Promise.reject(new Error("disk full")) };
    const assay = open();
    assert.equal((await assay.predict(signals)).meta.receipt, receiptOf(chain[4]!));
    await assert.rejects(assay.newestReceipt(), /disk full/);
  });
});
