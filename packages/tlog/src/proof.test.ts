import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { judgeEvidence } from "./evidence.ts";
import { formatProof, formatReceiptProof, parseProof, verifyReceiptProof, type Proof } from "./proof.ts";
import { leafText, parseLeafText, type Receipt } from "./receipt-leaf.ts";
import { assertOneSpelling } from "./testing/fuzz-text.ts";
import { hashLeafNow, NaiveTree } from "./testing/naive-tree.ts";
import { TestSigner } from "./testing/test-signer.ts";

const receiptOf = (seq: number, hashDigit = "a"): Receipt => ({ accountId: "acct_1", seq, hash: hashDigit.repeat(64) });
const leafOf = (receipt: Receipt): Uint8Array => hashLeafNow(Buffer.from(leafText(receipt)));

describe("the leaf of a receipt", () => {
  it("is its version, account, number and hash, one per line", () => {
    assert.equal(leafText(receiptOf(12)), `assay-receipt-1\nacct_1\n12\n${"a".repeat(64)}\n`);
    assert.deepEqual(parseLeafText(leafText(receiptOf(12))), receiptOf(12));
  });

  it("is not made or read of anything else", () => {
    for (const wrong of [{ accountId: "" }, { accountId: "a\nb" }, { accountId: "a b" }, { seq: 0 }, { seq: 1.5 }, { seq: 2 ** 53 }, { hash: "A".repeat(64) }, { hash: "a".repeat(63) }]) {
      assert.throws(() => leafText({ ...receiptOf(1), ...wrong }), { name: "TlogError", code: "malformed_receipt" });
    }
    const text = leafText(receiptOf(12));
    for (const wrong of ["", text.slice(0, -1), `${text}\n`, text.replace("12", "012"), text.replace("12", "1e1"), text.replace("receipt-1", "receipt-2"), text.replace("acct_1", "acct_1\nacct_2")]) {
      assert.equal(parseLeafText(wrong), undefined, wrong);
    }
  });
});

describe("proofs as files", () => {
  const receipts = Array.from({ length: 7 }, (_, index) => receiptOf(index + 1));
  let log: TestSigner;
  let keys: { logKeys: string[]; witnessKeys: string[] };
  before(async () => {
    log = await TestSigner.log("assay.example/log");
    keys = { logKeys: [log.vkey], witnessKeys: [] };
  });

  /** A log with these receipts, and the proof of one of them. */
  function proveIn(logged: readonly Receipt[], index: number, signer = log): string {
    const tree = new NaiveTree(logged.map(leafOf));
    const size = logged.length;
    return formatReceiptProof(logged[index]!, { index, path: tree.inclusionPath(index, 0, size), checkpointNote: signer.signCheckpoint({ size, root: tree.root(size) }) });
  }

  it("prove a receipt to anyone who has the log's key", async () => {
    for (const [index, receipt] of receipts.entries()) {
      const proof = proveIn(receipts, index);
      const verified = await verifyReceiptProof(proof, receipt, keys);
      assert.deepEqual([verified.index, verified.checkpoint.size, verified.receipt], [index, 7, receipt]);
      assert.deepEqual((await verifyReceiptProof(proof, undefined, keys)).receipt, receipt);
      // The extra line is a convenience.
      const { extra: _, ...bare } = parseProof(proof);
      assert.equal((await verifyReceiptProof(formatProof(bare), receipt, keys)).index, index);
      await assert.rejects(verifyReceiptProof(formatProof(bare), undefined, keys), { code: "malformed_proof" });
    }
  });

  it("prove nothing else", async () => {
    const proof = proveIn(receipts, 3);
    const other = { ...receiptOf(4), accountId: "acct_2" };
    const changed = (change: Partial<Proof>) => formatProof({ ...parseProof(proof), ...change });
    const refuses = (text: string, receipt: Receipt | undefined, code: string) => assert.rejects(verifyReceiptProof(text, receipt, keys), { name: "TlogError", code });
    await refuses(proof, other, "other_receipt");
    await refuses(changed({ extra: undefined }), other, "not_included");
    await refuses(changed({ extra: Buffer.from(leafText(other)) }), undefined, "not_included");
    await refuses(changed({ index: 4 }), receipts[3], "not_included");
    await refuses(changed({ path: parseProof(proof).path.toReversed() }), receipts[3], "not_included");
    await refuses(proof.replace("\n7\n", "\n8\n"), receipts[3], "bad_signature");
    await refuses(proveIn(receipts, 3, await TestSigner.log(log.name)), receipts[3], "unknown_log");
  });

  it("are refused when malformed", () => {
    const proof = proveIn(receipts, 3);
    const refuses = (text: string): void => assert.throws(() => parseProof(text), { name: "TlogError", code: "malformed_proof" }, text);
    refuses("");
    refuses(proof.replace("@v1", "@v2"));
    refuses(proof.replace("index 3", "index 03"));
    refuses(proof.replace("index 3", "index -3"));
    refuses(proof.replace("index 3", "index 9007199254740992"));
    refuses(proof.replace("index 3", "index 3\nindex 3"));
    refuses(proof.replace("index 3\n", ""));
    refuses(proof.replace(/(extra .*\n)/, "$1$1"));
    refuses(proof.replace(/(extra .*\n)(index .*\n)/, "$2$1"));
    refuses(proof.replace("extra ", "extra  "));
    refuses(proof.replace("index 3\n", `index 3\n${`${"A".repeat(43)}=\n`.repeat(64)}`));
    refuses(proof.replace("index 3\n", "index 3\nAAAA\n"));
    refuses(proof.replace("index 3\n", `index 3\n${"A".repeat(43)}B\n`));
    assert.throws(() => formatProof({ ...parseProof(proof), index: -1 }), { code: "malformed_proof" });
    assert.throws(() => formatProof({ ...parseProof(proof), path: [new Uint8Array(31)] }), { code: "malformed_proof" });
  });

  it("have one spelling", () => assertOneSpelling(proveIn(receipts, 3), parseProof, formatProof));

  describe("as evidence against whoever signed them", () => {
    it("show two different entries under one number of one account, in the same log", async () => {
      const appended = [...receipts, receiptOf(4, "b")];
      const judged = await judgeEvidence(proveIn(receipts, 3), proveIn(appended, 7), keys);
      assert(judged.proves);
      assert.equal(judged.code, "two_entries");
      assert.match(judged.sentence, /assay\.example\/log has signed two different entries 4 of account acct_1/);
      assert.deepEqual(judged.proofs.map(({ receipt }) => receipt.hash[0]), ["a", "b"]);
    });

    it("show two logs of the same size with different content", async () => {
      const forked = receipts.with(5, receiptOf(6, "c"));
      const judged = await judgeEvidence(proveIn(receipts, 0), proveIn(forked, 1), keys);
      assert.deepEqual([judged.proves, judged.code], [true, "two_roots"]);
    });

    it("show nothing if the entries agree, differ in place, are from different logs, or one proof is not valid", async () => {
      const restored = await TestSigner.log("assay.example/log/2");
      const known = { ...keys, logKeys: [log.vkey, restored.vkey] };
      const longer = [...receipts, receiptOf(8)];
      const judge = async (a: string, b: string) => {
        const { proves, code } = await judgeEvidence(a, b, known);
        return [proves, code];
      };
      assert.deepEqual(await judge(proveIn(receipts, 3), proveIn(longer, 3)), [false, "same_entry"]);
      assert.deepEqual(await judge(proveIn(receipts, 3), proveIn(longer, 4)), [false, "different_entries"]);
      assert.deepEqual(await judge(proveIn(receipts, 3), proveIn([{ ...receiptOf(4, "b"), accountId: "acct_2" }], 0)), [false, "different_entries"]);
      assert.deepEqual(await judge(proveIn(receipts, 3), proveIn([receiptOf(4, "b")], 0, restored)), [false, "different_logs"]);
      const unsigned = await TestSigner.log("assay.example/log");
      assert.deepEqual(await judge(proveIn(receipts, 3), proveIn([receiptOf(4, "b")], 0, unsigned)), [false, "invalid_proof"]);
      const forged = parseProof(proveIn(receipts, 3));
      assert.deepEqual(await judge(proveIn(receipts, 3), formatReceiptProof(receiptOf(4, "b"), forged)), [false, "invalid_proof"]);
    });
  });
});
