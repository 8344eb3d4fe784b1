import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { before, describe, it } from "node:test";
import { formatCheckpoint, openCheckpoint, parseCheckpoint } from "./checkpoint.ts";
import { cosignatureType, formatNote, parseNote } from "./note.ts";
import { assertOneSpelling } from "./testing/fuzz-text.ts";
import { NaiveTree } from "./testing/naive-tree.ts";
import { TestSigner } from "./testing/test-signer.ts";

const origin = "example.com/behind-the-sofa";
/** The text of the example of C2SP's tlog-checkpoint. */
const example = `${origin}\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n`;

describe("checkpoints", () => {
  it("have an origin, a size and a root", () => {
    const { root, ...rest } = parseCheckpoint(example);
    assert.deepEqual(rest, { origin, size: 20_852_163 });
    assert.equal(Buffer.from(root).toString("hex"), "0ac5186a91863e8e1d90c808014aa89bf5da8e3ee1d9f07630f0378f68f1ab62");
    assert.equal(parseCheckpoint(`${example}an extension\n`).size, 20_852_163);
    assert.equal(parseCheckpoint(example.replace("20852163", "0")).size, 0);
    assert.equal(parseCheckpoint(example.replace("20852163", "9007199254740991")).size, Number.MAX_SAFE_INTEGER);
  });

  it("are refused when malformed", () => {
    const refuses = (text: string): void => assert.throws(() => parseCheckpoint(text), { name: "TlogError", code: "malformed_checkpoint" }, JSON.stringify(text));
    refuses("");
    refuses(example.slice(0, -1));
    refuses(example.slice(origin.length));
    refuses(`\n${example}`);
    refuses(`${example}\n`);
    refuses(`${example}\nextension\n`);
    refuses(`${origin}\n20852163\n`);
    refuses(example.replace("\n", "\r\n"));
    for (const size of ["020852163", "00", "-1", "+1", "1.0", "1e3", " 1", "0x10", "9007199254740992", "18446744073709551615", "٣"]) refuses(example.replace("20852163", size));
    for (const root of ["", "CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I", "CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2J=", "CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxqw=="]) {
      refuses(`${origin}\n20852163\n${root}\n`);
    }
  });

  it("have one spelling", () => assertOneSpelling(example, (text) => ({ ...parseCheckpoint(text), rest: text.split("\n").slice(3).join("\n") }), ({ rest, ...checkpoint }) => formatCheckpoint(checkpoint) + rest));

  it("are not written with what could not be read", () => {
    const checkpoint = parseCheckpoint(example);
    for (const wrong of [{ origin: "" }, { origin: "two\nlines" }, { size: -1 }, { size: 0.5 }, { size: 2 ** 53 }, { root: new Uint8Array(31) }]) {
      assert.throws(() => formatCheckpoint({ ...checkpoint, ...wrong }), { code: "malformed_checkpoint" });
    }
  });
});

describe("opening a signed checkpoint", () => {
  const root = NaiveTree.ofNumbers(7).root(7);
  let log: TestSigner;
  let witness: TestSigner;
  let stranger: TestSigner;
  before(async () => {
    [log, witness, stranger] = await Promise.all([TestSigner.log(origin), TestSigner.witness("w1.example"), TestSigner.witness("w2.example")]);
  });

  /** The log's checkpoint, with cosignatures at those seconds. */
  function cosigned(...signatures: [TestSigner, number][]): string {
    const note = parseNote(log.signCheckpoint({ size: 7, root }));
    return formatNote({ ...note, signatures: [...note.signatures, ...signatures.map(([signer, at]) => signer.sign(note.text, at))] });
  }

  it("tells which known witnesses saw it, and when", async () => {
    const keys = { logKeys: [log.vkey], witnessKeys: [witness.vkey] };
    assert.deepEqual(await openCheckpoint(cosigned(), keys), { checkpoint: { origin, size: 7, root }, witnessedBy: [] });
    assert.deepEqual((await openCheckpoint(cosigned([witness, 1_000], [stranger, 2_000]), keys)).witnessedBy, [{ name: "w1.example", atMs: 1_000_000 }]);
    assert.deepEqual((await openCheckpoint(cosigned([witness, 1_000], [witness, 3_000]), keys)).witnessedBy, [{ name: "w1.example", atMs: 3_000_000 }]);
  });

  it("counts a key under two names as one witness", async () => {
    const pair = generateKeyPairSync("ed25519");
    const [one, same] = await Promise.all(["a.example", "b.example"].map((name) => TestSigner.make(name, cosignatureType, pair)));
    const { witnessedBy } = await openCheckpoint(cosigned([one!, 1_000], [same!, 1_000]), { logKeys: [log.vkey], witnessKeys: [one!.vkey, same!.vkey] });
    assert.deepEqual(witnessedBy, [{ name: "a.example", atMs: 1_000_000 }]);
  });

  it("refuses one that no known key of the named log has signed", async () => {
    const other = await TestSigner.log(origin);
    const elsewhere = await TestSigner.log("example.com/elsewhere");
    const note = log.signCheckpoint({ size: 7, root });
    const refuses = (text: string, logKeys: string[], code: string) => assert.rejects(openCheckpoint(text, { logKeys, witnessKeys: [] }), { name: "TlogError", code });
    await refuses(note, [], "unknown_log");
    await refuses(note, [other.vkey], "unknown_log");
    await refuses(note.replace("\n7\n", "\n8\n"), [log.vkey], "bad_signature");
    // A trusted key of one log says nothing about another log.
    const { text } = parseNote(note);
    await refuses(formatNote({ text, signatures: [elsewhere.sign(text)] }), [log.vkey, elsewhere.vkey], "unknown_log");
    await refuses(note, [witness.vkey], "malformed_key");
    assert.equal((await openCheckpoint(note, { logKeys: [other.vkey, log.vkey], witnessKeys: [] })).checkpoint.size, 7);
  });

  it("refuses one with a wrong signature of a known witness, and a log's key as a witness", async () => {
    const keys = { logKeys: [log.vkey], witnessKeys: [witness.vkey] };
    const note = parseNote(cosigned([witness, 1_000]));
    const wrong = formatNote({ ...note, signatures: [note.signatures[0]!, witness.sign("another text\n", 1_000)] });
    await assert.rejects(openCheckpoint(wrong, keys), { code: "bad_signature" });
    await assert.rejects(openCheckpoint(cosigned(), { ...keys, witnessKeys: [log.vkey] }), { code: "malformed_key" });
  });
});
