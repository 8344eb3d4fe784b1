import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { cosignatureType, ed25519Type, formatNote, formatVerifierKey, judgeSignature, parseNote, parseVerifierKey, verifySignature } from "./note.ts";
import { assertOneSpelling } from "./testing/fuzz-text.ts";
import { TestSigner } from "./testing/test-signer.ts";

/** The example of C2SP's signed-note. */
const exampleKey = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k";
const exampleSignature = "— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=";
const example = `This is an example message.\n\n${exampleSignature}\n`;

const refuses = (note: string): void => assert.throws(() => parseNote(note), { name: "TlogError", code: "malformed_note" }, JSON.stringify(note));

describe("signed notes", () => {
  it("verify C2SP's example", async () => {
    const note = parseNote(example);
    assert.equal(note.text, "This is an example message.\n");
    assert(await verifySignature(note, await parseVerifierKey(exampleKey)));
  });

  it("do not verify with any character of the text or bit of the signature changed", async () => {
    const key = await parseVerifierKey(exampleKey);
    const note = parseNote(example);
    for (let at = 0; at < note.text.length; at += 1) {
      assert.equal(await verifySignature({ ...note, text: `${note.text.slice(0, at)}#${note.text.slice(at + 1)}` }, key), false);
    }
    const [signature] = note.signatures;
    for (let bit = 0; bit < 512; bit += 1) {
      const bytes = signature!.bytes.with(bit >> 3, signature!.bytes[bit >> 3]! ^ (1 << (bit & 7)));
      assert.equal(await verifySignature({ ...note, signatures: [{ ...signature!, bytes }] }, key), false);
    }
  });

  it("ignore keys that share only the name or only the id, and are wrong if one of several signatures of a key is", async () => {
    const [one, other] = [await TestSigner.log("a.example"), await TestSigner.log("a.example")];
    const key = await parseVerifierKey(one.vkey);
    const [good, wrong] = [one.sign("text\n"), one.sign("another text\n")];
    assert.deepEqual(await judgeSignature({ text: "text\n", signatures: [other.sign("text\n")] }, key), { verdict: "unsigned" });
    assert.deepEqual(await judgeSignature({ text: "text\n", signatures: [{ ...good, name: "b.example" }] }, key), { verdict: "unsigned" });
    assert.deepEqual(await judgeSignature({ text: "text\n", signatures: [other.sign("text\n"), good] }, key), { verdict: "signed", atMs: 0 });
    assert.deepEqual(await judgeSignature({ text: "text\n", signatures: [good, wrong] }, key), { verdict: "wrong" });
    assert.deepEqual(await judgeSignature({ text: "text\n", signatures: [{ ...good, bytes: good.bytes.subarray(0, 63) }] }, key), { verdict: "wrong" });
  });

  it("cover the time of a cosignature, which is never zero", async () => {
    const witness = await TestSigner.witness("w.example");
    const key = await parseVerifierKey(witness.vkey);
    const signature = witness.sign("text\n", 1_700_000_000);
    assert.deepEqual(await judgeSignature({ text: "text\n", signatures: [signature] }, key), { verdict: "signed", atMs: 1_700_000_000_000 });
    assert.deepEqual(await judgeSignature({ text: "text\n", signatures: [signature, witness.sign("text\n", 1_700_000_005)] }, key), { verdict: "signed", atMs: 1_700_000_005_000 });
    assert.deepEqual(await judgeSignature({ text: "text\n", signatures: [{ ...signature, bytes: signature.bytes.with(7, 1) }] }, key), { verdict: "wrong" });
    assert.deepEqual(await judgeSignature({ text: "text\n", signatures: [witness.sign("text\n", 0)] }, key), { verdict: "wrong" });
    assert.deepEqual(await judgeSignature({ text: "text\n", signatures: [witness.sign("text\n", 2 ** 52)] }, key), { verdict: "wrong" });
  });

  it("keep empty lines in the text apart from the one that ends it", () => {
    const note = parseNote(`one\n\n\ntwo\n\n${exampleSignature}\n`);
    assert.equal(note.text, "one\n\n\ntwo\n");
    assert.equal(note.signatures.length, 1);
  });

  it("are refused when malformed", () => {
    refuses("");
    refuses("This is an example message.\n");
    refuses(example.slice(0, -1));
    refuses(`${example}\n`);
    refuses(`This is an example message.\n${exampleSignature}\n`);
    refuses(`This is an example message.\n\n`);
    for (const character of ["\0", "\t", "\r", "\x1f", "\ud800"]) refuses(`text${character}\n\n${exampleSignature}\n`);
    refuses(example.replace("— ", "- "));
    refuses(example.replace("— ", "—"));
    refuses(example.replace("example.com/foo", ""));
    refuses(example.replace("example.com/foo", "example.com/f+o"));
    for (const space of ["\u{a0}", "\u{85}", "\u{2003}", "\u{3000}"]) refuses(example.replace("example.com/foo", `example${space}com`));
    refuses(example.replace("aQM=", "aQM"));
    refuses(example.replace("aQM=", "aQN="));
    refuses(example.replace("aQM=", "aQM= "));
    refuses(example.replace("Uw2Q", "Uw2_"));
    refuses("text\n\n— name Uw2QOg==\n");
    refuses(`text\n\n${`${exampleSignature}\n`.repeat(101)}`);
    refuses(`${"x".repeat(300_000)}\n\n${exampleSignature}\n`);
    assert.equal(parseNote(`text\n\n${`${exampleSignature}\n`.repeat(16)}`).signatures.length, 16);
  });

  it("have one spelling", () => assertOneSpelling(`${example}${exampleSignature.replace("foo", "été")}\n`, parseNote, formatNote));

  it("are not written with what could not be read", () => {
    const { signatures } = parseNote(example);
    for (const text of ["no line feed", "tab\t\n"]) assert.throws(() => formatNote({ text, signatures }), { code: "malformed_note" });
    assert.throws(() => formatNote({ text: "text\n", signatures: [] }), { code: "malformed_note" });
    assert.throws(() => formatNote({ text: "text\n", signatures: [{ ...signatures[0]!, name: "two words" }] }), { code: "malformed_note" });
    assert.throws(() => formatNote({ text: "text\n", signatures: [{ ...signatures[0]!, keyId: "12" }] }), { code: "malformed_note" });
  });
});

describe("verifier keys", () => {
  it("are refused unless name, id, type and length fit together", async () => {
    const refusesKey = (vkey: string) => assert.rejects(parseVerifierKey(vkey), { name: "TlogError", code: "malformed_key" }, vkey);
    await refusesKey("");
    await refusesKey(exampleKey.replace("foo", "bar"));
    await refusesKey(exampleKey.replace("530d903a", "530d903b"));
    await refusesKey(exampleKey.replace("530d903a", "530D903A"));
    await refusesKey(exampleKey.replace("+AekyeR", "+BekyeR"));
    await refusesKey(exampleKey.slice(0, -4));
    await refusesKey(`${exampleKey}AAAA`);
    await refusesKey(`${exampleKey} `);
    await refusesKey(exampleKey.replace("example.com/foo", ""));
    await refusesKey("example.com/foo+530d903a+");
  });

  it("are different ones for signing and for cosigning", async () => {
    const { name, publicKey } = await parseVerifierKey(exampleKey);
    assert.equal(await formatVerifierKey({ name, type: ed25519Type, publicKey }), exampleKey);
    const cosigning = await parseVerifierKey(await formatVerifierKey({ name, type: cosignatureType, publicKey }));
    assert.notEqual(cosigning.keyId, "530d903a");
    assert.equal(await verifySignature(parseNote(example), cosigning), false);
  });

  it("have one spelling", () => assertOneSpelling(exampleKey, parseVerifierKey, formatVerifierKey));
});
