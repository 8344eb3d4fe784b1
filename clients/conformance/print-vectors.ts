// Writes webhooks.json and proofs.json, with keys that are known to everybody:  node clients/conformance/print-vectors.ts
// What must come of each vector is written here, not computed: vectors.test.ts fails if a file is out of date.
import { createPrivateKey, createPublicKey, sign } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { cosignatureType, ed25519Type, formatNote, parseNote } from "@assay/tlog/note.ts";
import { formatProof, formatReceiptProof, parseProof } from "@assay/tlog/proof.ts";
import { leafText, type Receipt } from "@assay/tlog/receipt-leaf.ts";
import { hashLeafNow, NaiveTree } from "../../packages/tlog/src/testing/naive-tree.ts";
import { TestSigner } from "../../packages/tlog/src/testing/test-signer.ts";
import { contentOf, headersOf, hmacOf, type Signed } from "../../packages/sdk/src/testing/sign-webhook.ts";

type Vector = { name: string; given: object; expect: { answer?: object; error?: object; refused?: boolean } };

const pkcs8Prefix = Buffer.from("302e020100300506032b657004220420", "hex");

/** An Ed25519 key pair whose private key is one byte, 32 times. */
function knownPair(byte: number) {
  const privateKey = createPrivateKey({ key: Buffer.concat([pkcs8Prefix, Buffer.alloc(32, byte)]), format: "der", type: "pkcs8" });
  return { privateKey, publicKey: createPublicKey(privateKey) };
}

const base64 = (bytes: string | Uint8Array): string => Buffer.from(bytes).toString("base64");
const secretOf = (byte: number, length = 32): string => `whsec_${base64(Buffer.alloc(length, byte))}`;

function listWebhooks(): Vector[] {
  const secret = secretOf(1);
  const other = secretOf(2);
  const pair = knownPair(3);
  const publicKey = `whpk_${base64(pair.publicKey.export({ format: "der", type: "spki" }).subarray(-32))}`;
  const signA = (signed: Signed) => `v1a,${sign(null, contentOf(signed), pair.privateKey).toString("base64")}`;
  const atSeconds = 1_790_000_000;
  const parts = { type: "payout.paid", timestamp: "2026-09-21T14:13:20.000Z", sequence: 7, account: "acct_1", data: { account_id: "acct_1", payout_id: "po_1", note: "é ✓", amount_usd: 340 } };
  const event: Signed = { id: "evt_0Q5ZLr8k000Ww9Xx2Yy5Zz8", atSeconds, body: JSON.stringify(parts) };
  const answer = { id: event.id, ...parts };
  const right = hmacOf(secret, event);
  const wrong = hmacOf(other, event);
  const headers = headersOf(event, right);
  type Change = { signed?: Partial<Signed>; signature?: string; headers?: Record<string, unknown>; more?: Record<string, unknown> };
  const given = ({ signed, signature, headers: changed, more }: Change = {}) => {
    const full = { ...event, ...signed };
    return { payload_base64: base64(full.body), headers: { ...headersOf(full, signature ?? hmacOf(secret, full)), ...changed }, secrets: [secret], now_ms: atSeconds * 1_000, ...more };
  };
  const takes = (name: string, change?: Change): Vector => ({ name, given: given(change), expect: { answer } });
  const refuses = (code: string, status: number, name: string, change?: Change): Vector => ({ name, given: given(change), expect: { error: { code, status } } });
  const bodyOf = (change: object) => JSON.stringify({ ...parts, ...change });
  const { type: _type, ...untyped } = parts;
  const { account: _account, ...ownerless } = parts;
  /** Signed by the installation's key, as the events of all accounts are. */
  const byKey = (body: string | Buffer, more: Record<string, unknown> = {}): Change => ({ signed: { body }, signature: signA({ ...event, body }), more: { secrets: [publicKey], account: "acct_1", ...more } });
  const othersBodies = {
    "another account's event": bodyOf({ account: "acct_2" }),
    "an event that names no account": JSON.stringify(ownerless),
    "an account in capitals": bodyOf({ account: "ACCT_1" }),
    "an account with a space": bodyOf({ account: "acct_1 " }),
    "an account of no characters": bodyOf({ account: "" }),
    "an account under a name in capitals": JSON.stringify({ ...ownerless, Account: "acct_1" }),
    "an account in the data alone": JSON.stringify({ ...ownerless, data: { account: "acct_1", account_id: "acct_1" } }),
    "the account in the data, another one outside": bodyOf({ account: "acct_2", data: { account: "acct_1" } }),
    "an account in a prototype": JSON.stringify(ownerless).replace("{", '{"__proto__":{"account":"acct_1"},'),
    "the operators' event": bodyOf({ account: "operators" }),
  };
  /** What is in the body, beside what every event has. */
  const bodyWith = (members: string) => JSON.stringify(ownerless).replace("{", `{${members},`);
  const ambiguous = ['"account":"acct_1","account":"acct_2"', '"account":"acct_2","account":"acct_1"', '"account":"acct_1","account":"acct_1"', '"account":"acct_2","\\u0061ccount" \n : "acct_1"', '"account":"acct_1","type":"payout.returned"', '"account":"acct_1","data":{}'];
  const noAccounts = ["1", "null", '["acct_1"]', '{"account":"acct_1"}', "true"];
  const hard = bodyWith('"account":"acct_1"').replace(/"note":"[^"]*"/, String.raw`"note":"}]\",\"account\":\"acct_2\":{","account":1,"account":2`);
  return [
    takes("a genuine webhook gives its event"),
    takes("headers have any case", { headers: { "webhook-id": undefined, "Webhook-Id": event.id, "webhook-timestamp": undefined, "WEBHOOK-TIMESTAMP": String(atSeconds) } }),
    takes("headers may be lists", { headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])) }),
    { name: "an event of a type that is not known keeps its type and its data", given: given({ signed: { body: bodyOf({ type: "payout.reviewed", data: { some: 1 }, more: true }) } }), expect: { answer: { ...answer, type: "payout.reviewed", data: { some: 1 } } } },
    takes("the other of two secrets, while they are rotated", { more: { secrets: [other, secret] } }),
    takes("one of several signatures", { signature: `${wrong} ${right}` }),
    takes("signatures of other versions and nonsense are ignored", { signature: `v2,${right.slice(3)} v1 v1, ,x nonsense v1,*** ${right}` }),
    takes("a header that was sent twice and joined by a comma", { signature: `${wrong}, ${right}` }),
    takes("a header that was sent twice and is a list", { headers: { "webhook-signature": [wrong, right] } }),
    takes("the twentieth signature", { signature: [...Array.from({ length: 19 }, () => wrong), right].join(" ") }),
    refuses("bad_signature", 400, "the twenty-first signature", { signature: [...Array.from({ length: 20 }, () => wrong), right].join(" ") }),
    takes("the installation's key", { signature: `${right} ${signA(event)}`, more: { secrets: [publicKey], account: "acct_1" } }),
    takes("the installation's key beside a secret", { signature: signA(event), more: { secrets: [other, publicKey], account: "acct_1" } }),
    { name: "an operators' event for those who expect theirs", given: given(byKey(bodyOf({ account: "operators" }), { account: "operators" })), expect: { answer: { ...answer, account: "operators" } } },
    takes("an account that is written with escapes", byKey(bodyWith(String.raw`"\u0061ccount":"acct\u005f1"`))),
    takes("a byte order mark before the body", byKey(`\uFEFF${String(event.body)}`)),
    { name: "names in texts, and names twice inside of data", given: given(byKey(hard)), expect: { answer: JSON.parse(JSON.stringify({ id: event.id, ...(JSON.parse(hard) as object) })) as object } },
    refuses("bad_account", 500, "the installation's key, and no account that is expected", { signature: signA(event), more: { secrets: [publicKey] } }),
    refuses("bad_account", 500, "the same beside a secret that is right", { more: { secrets: [secret, publicKey] } }),
    refuses("bad_account", 500, "an expected account of no characters", byKey(String(event.body), { account: "" })),
    refuses("bad_account", 500, "an expected account of no characters, with a secret", { more: { account: "" } }),
    ...Object.entries(othersBodies).map(([name, body]) => refuses("other_account", 400, `${name}, under the installation's key`, byKey(body))),
    refuses("other_account", 400, "another account's event that was handled before", byKey(bodyOf({ account: "acct_2" }), { seen: [event.id] })),
    refuses("other_account", 400, "another account's event, signed with a secret beside the installation's key", { signed: { body: bodyOf({ account: "acct_2" }) }, more: { secrets: [secret, publicKey], account: "acct_1" } }),
    refuses("bad_signature", 400, "the expected account in place of another, under the signature of that one", { ...byKey(String(event.body)), signature: signA({ ...event, body: bodyOf({ account: "acct_2" }) }) }),
    takes("the account that is expected, with a secret", { more: { account: "acct_1" } }),
    refuses("other_account", 400, "another account than the one that is expected, with a secret", { more: { account: "acct_2" } }),
    { name: "any account, with a secret alone", given: given({ signed: { body: bodyOf({ account: "acct_2" }) } }), expect: { answer: { ...answer, account: "acct_2" } } },
    { name: "an event of an installation that names no account, with a secret", given: given({ signed: { body: JSON.stringify(ownerless) } }), expect: { answer: { ...answer, account: null } } },
    ...ambiguous.flatMap((members) => [
      refuses("malformed_body", 400, `a name twice, under the installation's key: ${members}`, byKey(bodyWith(members))),
      refuses("malformed_body", 400, `a name twice, with a secret: ${members}`, { signed: { body: bodyWith(members) } }),
    ]),
    refuses("malformed_body", 400, "an account twice after a byte order mark", byKey(`\uFEFF${bodyWith(ambiguous[0]!)}`)),
    ...noAccounts.map((json) => refuses("malformed_body", 400, `an account that is no text: ${json}`, byKey(bodyWith(`"account":${json}`)))),
    refuses("bad_signature", 400, "a secret's signature for the installation's key", { more: { secrets: [publicKey], account: "acct_1" } }),
    refuses("bad_signature", 400, "the public key used as a secret: everybody knows it", { signature: hmacOf(`whsec_${publicKey.slice("whpk_".length)}`, event), more: { secrets: [publicKey], account: "acct_1" } }),
    refuses("bad_signature", 400, "the same, called v1a", { signature: hmacOf(`whsec_${publicKey.slice("whpk_".length)}`, event).replace("v1,", "v1a,"), more: { secrets: [publicKey], account: "acct_1" } }),
    refuses("bad_signature", 400, "another body under the installation's key", { signature: signA({ ...event, body: `${String(event.body)} ` }), more: { secrets: [publicKey], account: "acct_1" } }),
    refuses("bad_signature", 400, "another secret", { more: { secrets: [other] } }),
    refuses("bad_signature", 400, "another body", { signed: { body: `${String(event.body)} ` }, signature: right }),
    refuses("bad_signature", 400, "another id", { headers: { "webhook-id": "evt_1" } }),
    refuses("bad_signature", 400, "another time", { headers: { "webhook-timestamp": String(atSeconds + 1) } }),
    refuses("bad_signature", 400, "a version in capitals", { signature: right.replace("v1", "V1") }),
    refuses("bad_signature", 400, "a signature without a version", { signature: right.slice(3) }),
    refuses("bad_signature", 400, "a signature that was cut off", { signature: right.slice(0, 20) }),
    refuses("bad_signature", 400, "the first half of a signature", { signature: `v1,${base64(Buffer.from(right.slice(3), "base64").subarray(0, 16))}` }),
    refuses("bad_signature", 400, "a signature of no bytes", { signature: "v1," }),
    refuses("bad_signature", 400, "a signature of nothing but zeros", { signature: `v1,${base64(Buffer.alloc(32))}` }),
    takes("signed as long ago as the tolerance", { more: { now_ms: (atSeconds + 300) * 1_000 + 999 } }),
    refuses("too_old", 400, "signed longer ago", { more: { now_ms: (atSeconds + 301) * 1_000 } }),
    takes("signed as far ahead as the tolerance", { more: { now_ms: (atSeconds - 300) * 1_000 } }),
    refuses("too_new", 400, "signed further ahead", { more: { now_ms: (atSeconds - 301) * 1_000 } }),
    refuses("too_old", 400, "a tolerance of the caller's", { more: { now_ms: (atSeconds + 11) * 1_000, tolerance_seconds: 10 } }),
    ...["1e9", "-1790000000", "1790000000.5", "now", " 1790000000", "0x6ab13b80", "9".repeat(13), "１７９００００００"].map((time) => refuses("bad_timestamp", 400, `the time ${time}`, { headers: { "webhook-timestamp": time } })),
    ...Object.keys(headers).flatMap((name) => [refuses("missing_header", 400, `no ${name}`, { headers: { [name]: undefined } }), refuses("missing_header", 400, `an empty ${name}`, { headers: { [name]: "" } })]),
    ...["webhook-id", "webhook-timestamp"].flatMap((name) => [
      refuses("bad_header", 400, `${name} twice`, { headers: { [name]: [headers[name], headers[name]] } }),
      refuses("bad_header", 400, `${name} twice, in two spellings`, { headers: { [name.toUpperCase()]: headers[name] } }),
      refuses("bad_header", 400, `an endless ${name}`, { headers: { [name]: "1".repeat(5_000) } }),
    ]),
    refuses("bad_header", 400, "endless signatures", { signature: `${right} ${"v1,x ".repeat(1_000)}` }),
    // With a full stop in it, the same signature would fit another id, time and body.
    ...["evt_1.2", "evt 1", "evt_é"].map((id) => refuses("bad_header", 400, `the id ${id}`, { signed: { id } })),
    ...["", "{", "[]", "null", "7", JSON.stringify(untyped), bodyOf({ sequence: "7" }), bodyOf({ sequence: 7.5 }), bodyOf({ data: [] }), bodyOf({ data: null }), bodyOf({ timestamp: 1 })].map((body) =>
      refuses("malformed_body", 400, `signed, but not an event: ${body.slice(0, 60)}`, { signed: { body } }),
    ),
    refuses("malformed_body", 400, "signed, but not UTF-8", { signed: { body: Buffer.from([0x22, 0xff, 0x22]) } }),
    refuses("too_large", 413, "larger than allowed", { signed: { body: bodyOf({ data: { text: "é".repeat(33_000) } }) } }),
    refuses("too_large", 413, "one byte too many", { more: { payload_bytes_max: Buffer.byteLength(String(event.body)) - 1 } }),
    takes("as many bytes as allowed", { more: { payload_bytes_max: Buffer.byteLength(String(event.body)) } }),
    refuses("duplicate", 200, "handled before", { more: { seen: ["evt_1", event.id] } }),
    takes("another one handled before", { more: { seen: ["evt_1"] } }),
    refuses("bad_signature", 400, "forged with an id that was handled before", { more: { seen: [event.id], secrets: [other] } }),
    ...[[], [""], ["secret"], ["whsec_"], ["whsec_***"], [secretOf(1, 23)], [secretOf(1, 65)], ["whpk_AAAA"], [secret, "whsec_"], Array.from({ length: 21 }, () => secret)].map((secrets) =>
      refuses("bad_secret", 500, `secrets that are none: ${JSON.stringify(secrets).slice(0, 60)}`, { more: { secrets } }),
    ),
    { name: "the shortest and the longest secret", given: given({ signature: hmacOf(secretOf(5, 64), event), more: { secrets: [secretOf(4, 24), secretOf(5, 64)] } }), expect: { answer } },
  ];
}

async function listProofs(): Promise<Vector[]> {
  const origin = "assay.example/log";
  const log = await TestSigner.make(origin, ed25519Type, knownPair(11));
  const second = await TestSigner.make(origin, ed25519Type, knownPair(12));
  const witness = await TestSigner.make("w1.example", cosignatureType, knownPair(13));
  const stranger = await TestSigner.make("w2.example", cosignatureType, knownPair(14));
  const receipts: Receipt[] = Array.from({ length: 7 }, (_, index) => ({ accountId: "acct_1", seq: index + 1, hash: String(index).repeat(64) }));
  const prove = (index: number, size: number, signer = log): string => {
    const tree = new NaiveTree(receipts.slice(0, size).map((receipt) => hashLeafNow(Buffer.from(leafText(receipt)))));
    return formatReceiptProof(receipts[index]!, { index, path: tree.inclusionPath(index, 0, size), checkpointNote: signer.signCheckpoint({ size, root: tree.root(size) }) });
  };
  const cosign = (proof: string, ...by: [TestSigner, number][]): string => {
    const { checkpointNote, ...rest } = parseProof(proof);
    const note = parseNote(checkpointNote);
    return formatProof({ ...rest, checkpointNote: formatNote({ text: note.text, signatures: [...note.signatures, ...by.map(([signer, at]) => signer.sign(note.text, at))] }) });
  };
  const proof = prove(3, 7);
  const textOf = ({ seq, hash }: Receipt) => `${seq}.${hash}`;
  const given = (text = proof, more: object = {}) => ({ proof: text, receipt: textOf(receipts[3]!), log_keys: [log.vkey], witness_keys: [] as string[], ...more });
  const answer = (index = 3, size = 7, witnessed_by: object[] = []) => ({ account_id: "acct_1", seq: receipts[index]!.seq, hash: receipts[index]!.hash, origin, index, size, witnessed_by });
  const holds = (name: string, text: string, expected = answer(), more: object = {}): Vector => ({ name, given: given(text, more), expect: { answer: expected } });
  const fails = (code: string, name: string, text = proof, more: object = {}): Vector => ({ name, given: given(text, more), expect: { error: { code } } });
  const changed = (change: object) => formatProof({ ...parseProof(proof), ...change });
  const signature = parseNote(parseProof(proof).checkpointNote).signatures[0]!;
  const flip = (bytes: Uint8Array, at: number) => bytes.with(at, bytes[at]! ^ 1);
  const resigned = (bytes: Uint8Array) => changed({ checkpointNote: formatNote({ text: parseNote(parseProof(proof).checkpointNote).text, signatures: [{ ...signature, bytes }] }) });
  const pairs = [1, 2, 3, 4, 5, 6, 7].flatMap((size) => Array.from({ length: size }, (_, index) => [index, size] as const));
  return [
    ...pairs.map(([index, size]) => holds(`entry ${index + 1} of ${size}`, prove(index, size), answer(index, size), { receipt: textOf(receipts[index]!) })),
    holds("witnesses that are trusted", cosign(proof, [witness, 1_790_000_000], [stranger, 1_790_000_001]), answer(3, 7, [{ name: "w1.example", at_ms: 1_790_000_000_000 }]), { witness_keys: [witness.vkey] }),
    holds("the latest of a witness's times", cosign(proof, [witness, 1_790_000_000], [witness, 1_790_000_009]), answer(3, 7, [{ name: "w1.example", at_ms: 1_790_000_009_000 }]), { witness_keys: [witness.vkey] }),
    holds("a key under two names is one witness", cosign(proof, [witness, 1_790_000_000], [await witness.renamed("w3.example"), 1_790_000_000]), answer(3, 7, [{ name: "w1.example", at_ms: 1_790_000_000_000 }]), { witness_keys: [witness.vkey, (await witness.renamed("w3.example")).vkey] }),
    holds("a witness that has not signed", proof, answer(), { witness_keys: [witness.vkey] }),
    holds("one of two keys of the log", proof, answer(), { log_keys: [second.vkey, log.vkey] }),
    fails("unknown_log", "another key of the same name", prove(3, 7, second)),
    fails("unknown_log", "no key at all", proof, { log_keys: [] }),
    fails("unknown_log", "the same key under another name", proof, { log_keys: [(await log.renamed("assay.example/log/2")).vkey] }),
    fails("other_receipt", "the proof of another entry", proof, { receipt: textOf(receipts[4]!) }),
    fails("other_receipt", "another hash", proof, { receipt: `4.${"f".repeat(64)}` }),
    fails("not_included", "another account in the extra line", changed({ extra: Buffer.from(leafText({ ...receipts[3]!, accountId: "acct_2" })) })),
    fails("not_included", "another place", changed({ index: 4 })),
    fails("not_included", "a place beyond the end", changed({ index: 7 })),
    fails("not_included", "a path in another order", changed({ path: parseProof(proof).path.toReversed() })),
    fails("not_included", "a path that is too short", changed({ path: parseProof(proof).path.slice(1) })),
    fails("not_included", "a path that is too long", changed({ path: [...parseProof(proof).path, new Uint8Array(32)] })),
    fails("not_included", "a path with another hash", changed({ path: parseProof(proof).path.map((hash, at) => (at === 1 ? flip(hash, 0) : hash)) })),
    fails("bad_signature", "another size under the signature", proof.replace("\n7\n", "\n8\n")),
    fails("bad_signature", "a signature with one bit flipped", resigned(flip(signature.bytes, 5))),
    fails("bad_signature", "a signature with one bit flipped in its second half", resigned(flip(signature.bytes, 40))),
    fails("bad_signature", "a signature that was cut off", resigned(signature.bytes.subarray(0, 63))),
    fails("bad_signature", "a signature whose scalar is not reduced", resigned(addOrder(signature.bytes))),
    fails("bad_signature", "a witness whose signature is wrong", cosign(proof, [witness, 1_790_000_000]).replace(/(\u2014 w1\.example .{30})(.)/, (_all, start: string, one: string) => start + (one === "A" ? "B" : "A")), { witness_keys: [witness.vkey] }),
    fails("bad_signature", "a witness that states no time", cosign(proof, [witness, 0]), { witness_keys: [witness.vkey] }),
    fails("malformed_key", "a key of a log as a witness", proof, { witness_keys: [log.vkey] }),
    fails("malformed_key", "a key of a witness as a log", proof, { log_keys: [witness.vkey] }),
    fails("malformed_key", "a key with another id", proof, { log_keys: [log.vkey.replace(/\+[0-9a-f]{8}\+/, "+00000000+")] }),
    fails("malformed_key", "a key that is none", proof, { log_keys: ["key"] }),
    fails("malformed_proof", "nothing", ""),
    fails("malformed_proof", "no receipt in it", changed({ extra: undefined })),
    fails("malformed_proof", "a receipt that is none", changed({ extra: Buffer.from("assay-receipt-1\nacct_1\n04\n") })),
    fails("malformed_proof", "another version", proof.replace("@v1", "@v2")),
    ...["index 03", "index -3", "index 9007199254740992", "index 3\nindex 3", "index three"].map((line) => fails("malformed_proof", JSON.stringify(line), proof.replace("index 3", line))),
    fails("malformed_proof", "no index", proof.replace("index 3\n", "")),
    fails("malformed_proof", "an extra line that is not base64", proof.replace("extra ", "extra  ")),
    fails("malformed_proof", "64 hashes in the path", proof.replace("index 3\n", `index 3\n${`${"A".repeat(43)}=\n`.repeat(64)}`)),
    fails("malformed_proof", "a short hash in the path", proof.replace("index 3\n", "index 3\nAAAA\n")),
    fails("malformed_proof", "base64 with stray bits", proof.replace("index 3\n", `index 3\n${"A".repeat(42)}B=\n`)),
    fails("malformed_note", "no signature", changed({ checkpointNote: `${origin}\n7\n${"A".repeat(43)}=\n` })),
    fails("malformed_note", "a control character in the note", proof.replace(`${origin}\n`, `${origin}\r\n`)),
    fails("malformed_checkpoint", "a size with a leading zero", proof.replace("\n7\n", "\n07\n")),
    fails("malformed_checkpoint", "a root that is none", changed({ checkpointNote: log.signCheckpoint({ size: 7, root: new Uint8Array(32) }).replace(`${"A".repeat(43)}=`, "AAAA") })),
    ...["", "4", `4.${"3".repeat(63)}`, `04.${"3".repeat(64)}`, `0.${"3".repeat(64)}`, `4.${"A".repeat(64)}`].map((receipt): Vector => ({ name: `not a receipt: ${receipt.slice(0, 20)}`, given: given(proof, { receipt }), expect: { refused: true } })),
  ];
}

/** The same signature with the order of the group added to its second half: an equation holds, but RFC 8032 refuses it. */
function addOrder(signature: Uint8Array): Uint8Array {
  const order = 2n ** 252n + 27742317777372353535851937790883648493n;
  const scalar = BigInt(`0x${Buffer.from(signature.subarray(32).toReversed()).toString("hex")}`) + order;
  const bytes = Buffer.from(scalar.toString(16).padStart(64, "0"), "hex").toReversed();
  return new Uint8Array(Buffer.concat([signature.subarray(0, 32), bytes]));
}

export async function printVectors(): Promise<Record<"webhooks.json" | "proofs.json", string>> {
  const print = (vectors: Vector[]) => `{"vectors":[\n${vectors.map((vector) => JSON.stringify(vector)).join(",\n")}\n]}\n`;
  return { "webhooks.json": print(listWebhooks()), "proofs.json": print(await listProofs()) };
}

if (process.argv[1] === import.meta.filename) {
  for (const [name, text] of Object.entries(await printVectors())) writeFileSync(join(import.meta.dirname, name), text);
}
