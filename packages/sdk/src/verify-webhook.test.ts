import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { inspect } from "node:util";
import fc from "fast-check";
import { Webhook as Standard } from "standardwebhooks";
import { Webhook as Svix } from "svix";
import { contentOf, headersOf, hmacOf, newKeyPair, newSecret, type Signed } from "./testing/sign-webhook.ts";
import { verifyWebhook, type VerifyWebhookOptions, type WebhookEvent, WebhookVerificationError } from "./webhooks.ts";

const secret = newSecret();
const pair = newKeyPair();
const atSeconds = 1_790_000_000;
const now = () => atSeconds * 1_000;
const parts = { type: "payout.paid", timestamp: "2026-09-21T14:13:20.000Z", sequence: 7, account: "acct_1", data: { account_id: "acct_1", payout_id: "po_1", month: "2026-08", amount_usd: 340 } };
const { account } = parts;
const body = JSON.stringify(parts);
const id = "evt_0Q5ZLr8k000Ww9Xx2Yy5Zz8";
const signed: Signed = { id, atSeconds, body };
const headers = headersOf(signed, hmacOf(secret, signed));

const codeOf = async (verification: Promise<unknown>): Promise<string> => {
  const thrown: unknown = await verification.then(() => undefined, (error: unknown) => error);
  if (thrown === undefined) return "accepted";
  assert.ok(thrown instanceof WebhookVerificationError, inspect(thrown));
  for (const each of [secret, secret.slice(6)]) assert.ok(!thrown.message.includes(each), "a text contains a secret");
  return thrown.code;
};
const verify = (given: { body?: string | Uint8Array; headers?: Parameters<typeof verifyWebhook>[1]; secrets?: string | string[] } & VerifyWebhookOptions = {}) => {
  const { body: payload = body, headers: some = headers, secrets = secret, ...options } = given;
  return verifyWebhook(payload, some, secrets, { now, ...options });
};
const without = (name: string) => Object.fromEntries(Object.entries(headers).filter(([each]) => each !== name));
/** Signed anew, with something else in it. */
const resigned = (change: Partial<Signed>, signature = (given: Signed) => hmacOf(secret, given)) => {
  const given = { ...signed, ...change };
  return { body: given.body, headers: headersOf(given, signature(given)) };
};

/** What a receiver writes: tsc checks that each type has its own data. */
function tell(event: WebhookEvent): string {
  if (event.type === "payout.paid") return `${event.data.payout_id} ${event.data.amount_usd.toFixed(2)}`;
  if (event.type === "webhook.test") return event.data.endpoint_id;
  // @ts-expect-error: this is not a type of event
  if (event.type === "webhook.other") return "never";
  // @ts-expect-error: it could be any other event
  void event.data.amount_usd;
  const type: string = event.type;
  return type;
}

describe("a webhook", () => {
  it("that is genuine gives its event, whatever form headers and body have", async () => {
    const event = await verify();
    assert.deepEqual(event, { id, ...parts });
    assert.equal(tell(event), "po_1 340.00");
    const shouted = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
    const listed = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
    for (const some of [new Headers(headers), new Map(Object.entries(headers)) as unknown as Headers, shouted, listed, { ...headers, cookie: undefined }]) assert.deepEqual(await verify({ headers: some }), event);
    for (const bytes of [Buffer.from(body), new TextEncoder().encode(body), new Uint8Array(Buffer.from(`x${body}`)).subarray(1)]) assert.deepEqual(await verify({ body: bytes }), event);
  });

  it("of a type that is not listed keeps its type and its data", async () => {
    const event = await verify(resigned({ body: JSON.stringify({ ...parts, type: "payout.reviewed", data: { some: 1 }, more: true }) }));
    assert.equal(tell(event), "payout.reviewed");
    assert.deepEqual(event.data, { some: 1 });
  });

  it("is refused with any byte of its body, id, time or signature changed", async () => {
    const bytes = Buffer.from(body);
    for (const index of bytes.keys()) {
      const flipped = Buffer.from(bytes);
      flipped[index]! ^= 1 << index % 8;
      assert.equal(await codeOf(verify({ body: flipped })), "bad_signature", `byte ${index}`);
    }
    const signature = Buffer.from(headers["webhook-signature"]!.slice(3), "base64");
    for (const index of signature.keys()) {
      const flipped = Buffer.from(signature);
      flipped[index]! ^= 1 << index % 8;
      assert.equal(await codeOf(verify({ headers: { ...headers, "webhook-signature": `v1,${flipped.toString("base64")}` } })), "bad_signature", `byte ${index} of the signature`);
    }
    for (const index of id.split("").keys()) {
      const other = `${id.slice(0, index)}${id[index] === "q" ? "r" : "q"}${id.slice(index + 1)}`;
      assert.equal(await codeOf(verify({ headers: { ...headers, "webhook-id": other } })), "bad_signature");
    }
    assert.equal(await codeOf(verify({ headers: { ...headers, "webhook-timestamp": String(atSeconds + 1) } })), "bad_signature");
    for (const other of [body.slice(0, -1), `${body} `, "", bytes.subarray(1)]) assert.equal(await codeOf(verify({ body: other })), "bad_signature");
  });

  it("is accepted with every body as it was signed, and refused with any other", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "grapheme", maxLength: 200 }), fc.nat(), fc.integer({ min: 1, max: 255 }), async (text, position, difference) => {
        const given = resigned({ body: Buffer.from(JSON.stringify({ ...parts, data: { text } })) });
        assert.deepEqual((await verify(given)).data, { text });
        const changed = Buffer.from(given.body as Uint8Array);
        changed[position % changed.length]! ^= difference;
        assert.equal(await codeOf(verify({ ...given, body: changed })), "bad_signature");
      }),
      { numRuns: 200 },
    );
  });

  it("is refused when it was signed more than the tolerance ago or ahead, and not before", async () => {
    const at = (seconds: number, options: VerifyWebhookOptions = {}) => codeOf(verify({ ...resigned({ atSeconds: atSeconds + seconds }), ...options }));
    assert.deepEqual(await Promise.all([-301, -300, 300, 301].map((seconds) => at(seconds))), ["too_old", "accepted", "accepted", "too_new"]);
    assert.deepEqual(await Promise.all([-11, -10, 10, 11].map((seconds) => at(seconds, { toleranceSeconds: 10 }))), ["too_old", "accepted", "accepted", "too_new"]);
    assert.equal(await at(0, { toleranceSeconds: Number.NaN }), "too_old");
    // The time that counts is the one that was signed.
    const old = resigned({ atSeconds: atSeconds - 400 });
    assert.equal(await codeOf(verify({ ...old, headers: { ...old.headers, "webhook-timestamp": String(atSeconds) } })), "bad_signature");
    for (const time of ["1e9", "-1790000000", "1790000000.5", "now", " 1790000000", "0x6ab13b80", "9".repeat(13)]) {
      assert.equal(await codeOf(verify({ headers: { ...headers, "webhook-timestamp": time } })), "bad_timestamp", time);
    }
    assert.equal(await codeOf(verifyWebhook(body, headers, secret, { now: Date.now, toleranceSeconds: 60 })), now() < Date.now() ? "too_old" : "too_new");
  });

  it("that was handled is a duplicate; a forged one with the same id is not", async () => {
    const handled = new Set([id]);
    const asked: string[] = [];
    const seen = (each: string) => {
      asked.push(each);
      return Promise.resolve(handled.has(each));
    };
    const duplicate = await verify({ seen }).catch((error: unknown) => error as WebhookVerificationError);
    assert.ok(duplicate instanceof WebhookVerificationError);
    assert.deepEqual([duplicate.code, duplicate.status, duplicate.isDuplicate], ["duplicate", 200, true]);
    const forged = await verify({ seen, secrets: newSecret() }).catch((error: unknown) => error as WebhookVerificationError);
    assert.ok(forged instanceof WebhookVerificationError);
    assert.deepEqual([forged.code, forged.status, forged.isDuplicate], ["bad_signature", 400, false]);
    assert.deepEqual(asked, [id], "only a genuine id is looked up");
    assert.equal(await codeOf(verify({ ...resigned({ id: "evt_other" }), seen })), "accepted");
  });

  it("needs all three headers, each once and of a bounded length", async () => {
    for (const name of Object.keys(headers)) {
      assert.equal(await codeOf(verify({ headers: without(name) })), "missing_header");
      assert.equal(await codeOf(verify({ headers: new Headers(without(name)) })), "missing_header");
      assert.equal(await codeOf(verify({ headers: { ...headers, [name]: "" } })), "missing_header");
    }
    for (const name of ["webhook-id", "webhook-timestamp"]) {
      assert.equal(await codeOf(verify({ headers: { ...headers, [name]: [headers[name]!, headers[name]!] } })), "bad_header");
      assert.equal(await codeOf(verify({ headers: { ...headers, [name.toUpperCase()]: headers[name]! } })), "bad_header");
      assert.equal(await codeOf(verify({ headers: { ...headers, [name]: "1".repeat(5_000) } })), "bad_header");
    }
    assert.equal(await codeOf(verify({ headers: { ...headers, "webhook-signature": `${headers["webhook-signature"]} ${"v1,x ".repeat(1_000)}` } })), "bad_header");
    // With a full stop in it, the same signature would fit another id, time and body.
    for (const other of ["evt_1.2", "evt 1", "evt_é", "evt_\n"]) assert.equal(await codeOf(verify(resigned({ id: other }))), "bad_header", other);
  });

  it("with a signed body that is not an event is malformed, and so is one that was parsed before", async () => {
    const { type: _type, ...untyped } = parts;
    const bodies = ["", "{", "[]", "null", "7", JSON.stringify(untyped), JSON.stringify({ ...parts, sequence: "7" }), JSON.stringify({ ...parts, data: [] }), JSON.stringify({ ...parts, data: null }), JSON.stringify({ ...parts, timestamp: 1 }), JSON.stringify({ ...parts, account: 1 }), body.replace("{", '{"account":"acct_1",')];
    for (const other of [...bodies, Buffer.from([0x22, 0xff, 0x22])]) assert.equal(await codeOf(verify(resigned({ body: other }))), "malformed_body", String(other));
    assert.equal(await codeOf(verify({ body: parts as unknown as string })), "malformed_body");
  });

  it("is refused when it is too large, before anything is computed", async () => {
    const large = resigned({ body: JSON.stringify({ ...parts, data: { text: "é".repeat(40_000) } }) });
    assert.equal(await codeOf(verify(large)), "too_large");
    assert.equal(await codeOf(verify({ ...large, body: Buffer.from(large.body as string) })), "too_large");
    assert.equal(await codeOf(verify({ ...large, payloadBytesMax: 100_000 })), "accepted");
    assert.equal(await codeOf(verify({ payloadBytesMax: Buffer.byteLength(body) - 1 })), "too_large");
    assert.equal(await codeOf(verify({ payloadBytesMax: Buffer.byteLength(body) })), "accepted");
  });
});

describe("signatures", () => {
  const right = headers["webhook-signature"]!;
  const wrong = hmacOf(newSecret(), signed);
  const withSignature = (signature: string | string[], more: Parameters<typeof verify>[0] = {}) => codeOf(verify({ headers: { ...headers, "webhook-signature": signature }, ...more }));

  it("may be several, of which one is right; those of other versions are ignored", async () => {
    for (const some of [`${wrong} ${right}`, `${right} ${wrong}`, `v2,${right.slice(3)} ${right}`, `v1 v1, ,x nonsense v1,*** ${right}`, `${wrong}, ${right}`, `${pair.sign(contentOf(signed))} ${right}`]) assert.equal(await withSignature(some), "accepted", some);
    assert.equal(await withSignature([wrong, right]), "accepted");
    for (const version of ["v2", "V1", "v1a", "", "v11", "v1,v1"]) assert.equal(await withSignature(`${version},${right.slice(3)}`), "bad_signature", version);
    for (const some of [right.slice(3), `v1,${right.slice(3, 20)}`, "v1,", `v1,${Buffer.alloc(32).toString("base64")}`]) assert.equal(await withSignature(some), "bad_signature", some);
  });

  it("are considered up to the twentieth", async () => {
    const wrongs = (count: number) => Array.from({ length: count }, () => wrong).join(" ");
    assert.equal(await withSignature(`${wrongs(19)} ${right}`), "accepted");
    assert.equal(await withSignature(`${wrongs(20)} ${right}`), "bad_signature");
  });

  it("are compared by the runtime, in constant time, all of them, whichever is right", async (t) => {
    const verified = t.mock.method(crypto.subtle, "verify");
    const secrets = [newSecret(), secret];
    for (const some of [`${right} ${wrong} ${wrong}`, `${wrong} ${wrong} ${right}`, `${wrong} ${wrong} ${wrong}`]) {
      const before = verified.mock.callCount();
      assert.equal(await withSignature(some, { secrets }), some.includes(right) ? "accepted" : "bad_signature");
      assert.equal(verified.mock.callCount() - before, 6);
    }
  });

  it("of the installation's key are verified with its public key", async () => {
    const v1a = pair.sign(contentOf(signed));
    assert.equal(await withSignature(`${right} ${v1a}`, { secrets: pair.publicKey, account }), "accepted");
    assert.equal(await withSignature(`${wrong} ${v1a}`, { secrets: [newSecret(), pair.publicKey], account }), "accepted");
    assert.equal(await withSignature(`${right} ${v1a}`, { secrets: newKeyPair().publicKey, account }), "bad_signature");
    assert.equal(await withSignature(right, { secrets: pair.publicKey, account }), "bad_signature");
    const other = { ...signed, body: `${body} ` };
    assert.equal(await withSignature(pair.sign(contentOf(other)), { secrets: pair.publicKey, account }), "bad_signature");
  });

  it("of the installation's key are everybody's: the account must be expected, and the event must name it [threat: other-accounts-event]", async () => {
    const sent = (given: string, options: Parameters<typeof verify>[0] = {}) => codeOf(verify({ ...resigned({ body: given }, (each) => `${hmacOf(secret, each)} ${pair.sign(contentOf(each))}`), secrets: pair.publicKey, ...options }));
    const others = JSON.stringify({ ...parts, account: "acct_2" });
    const { account: _account, ...ownerless } = parts;
    assert.equal(await sent(body, { account }), "accepted");
    for (const given of [others, JSON.stringify(ownerless), JSON.stringify({ ...ownerless, Account: account }), JSON.stringify({ ...ownerless, data: { account } })]) {
      assert.equal(await sent(given, { account, seen: () => assert.fail("looked up") }), "other_account", given);
      assert.equal(await sent(given, { account, secrets: [secret, pair.publicKey] }), "other_account", given);
      assert.equal(await sent(given, { account, secrets: secret }), "other_account", given);
      assert.equal(await sent(given, { secrets: secret }), "accepted", given);
    }
    for (const twice of [others.replace("{", '{"account":"acct_1",'), body.replace("{", '{"account":"acct_2",'), body.replace("{", String.raw`{"\u0061ccount" : "acct_2",`)]) assert.equal(await sent(twice, { account }), "malformed_body", twice);
    for (const none of [undefined, "", null, 1, {}]) {
      for (const secrets of [pair.publicKey, [secret, pair.publicKey]]) assert.equal(await sent(body, { account: none as string, secrets }), "bad_account", inspect(none));
    }
    assert.equal(await sent(body, { account: "", secrets: secret }), "bad_account");
    assert.equal((await verify(resigned({ body: JSON.stringify(ownerless) }))).account, null);
  });

  it("that were made with the public key as a secret are refused: everybody knows it", async () => {
    const known = pair.publicKey.slice("whpk_".length);
    const forged = hmacOf(`whsec_${known}`, signed);
    for (const some of [forged, forged.replace("v1,", "v1a,")]) assert.equal(await withSignature(some, { secrets: pair.publicKey, account }), "bad_signature");
  });

  it("need Ed25519 only where there is no other secret", async (t) => {
    const importKey = crypto.subtle.importKey.bind(crypto.subtle) as (...given: unknown[]) => Promise<unknown>;
    t.mock.method(crypto.subtle, "importKey", (...given: unknown[]) => (given[2] === "Ed25519" ? Promise.reject(new DOMException("Unrecognized name", "NotSupportedError")) : importKey(...given)));
    assert.equal(await withSignature(`${right} ${pair.sign(contentOf(signed))}`, { secrets: [secret, pair.publicKey], account }), "accepted");
    assert.equal(await withSignature(wrong, { secrets: [secret, pair.publicKey], account }), "bad_signature");
    assert.equal(await withSignature(right, { secrets: pair.publicKey, account }), "unsupported");
  });
});

describe("secrets", () => {
  it("of another endpoint verify nothing; during a rotation either of two does", async () => {
    assert.equal(await codeOf(verify({ secrets: newSecret() })), "bad_signature");
    assert.equal(await codeOf(verify({ secrets: [newSecret(), secret] })), "accepted");
    assert.equal(await codeOf(verify({ secrets: [secret, newSecret()] })), "accepted");
  });

  it("that are missing, empty, cut off or of another kind are refused, whatever was signed", async () => {
    const bad = ["", "whsec_", "whpk_", "whsec_====", secret.slice(6), secret.slice(0, 20), ` ${secret}`, `${secret}\n`, "whsec_é", `whsk_${secret.slice(6)}`, `whpk_${Buffer.alloc(31).toString("base64")}`, `whsec_${Buffer.alloc(65).toString("base64")}`, undefined, null, 7, {}];
    for (const each of bad) {
      assert.equal(await codeOf(verifyWebhook(body, headers, each as string, { now })), "bad_secret", inspect(each));
      assert.equal(await codeOf(verifyWebhook(body, headers, [secret, each as string], { now })), "bad_secret", inspect(each));
    }
    assert.equal(await codeOf(verify({ secrets: [] })), "bad_secret");
    assert.equal(await codeOf(verify({ secrets: Array.from({ length: 21 }, () => secret) })), "bad_secret");
    const empty = { ...signed };
    assert.equal(await codeOf(verify({ headers: headersOf(empty, hmacOf("whsec_", empty)), secrets: "whsec_" })), "bad_secret");
  });
});

describe("other libraries of Standard Webhooks", () => {
  const secrets = ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", ...Array.from({ length: 5 }, newSecret)];
  const bodies = [body, JSON.stringify({ ...parts, data: { text: "über 😀 \u2028" } })];

  it("sign what we verify, and verify what we sign", async () => {
    const nowSeconds = Math.floor(Date.now() / 1_000);
    for (const each of secrets) {
      for (const payload of bodies) {
        const given = { id, atSeconds: nowSeconds, body: payload };
        for (const library of [new Standard(each), new Svix(each)]) {
          const theirs = headersOf(given, library.sign(id, new Date(nowSeconds * 1_000), payload));
          assert.deepEqual(await verifyWebhook(payload, theirs, each), { id, ...(JSON.parse(payload) as object) });
          assert.equal(await codeOf(verifyWebhook(payload, theirs, newSecret())), "bad_signature");
          const ours = headersOf(given, `${pair.sign(contentOf(given))} ${hmacOf(each, given)}`);
          assert.doesNotThrow(() => library.verify(payload, ours));
          assert.throws(() => library.verify(`${payload} `, ours));
        }
      }
    }
  });
});
