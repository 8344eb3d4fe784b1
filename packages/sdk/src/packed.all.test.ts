import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { createContext, runInContext } from "node:vm";
import { builtPackage, installOffline } from "../../../clients/conformance/built-packages.ts";
import { makeAccount } from "../../../apps/api/test/make-account.ts";
import { makeTestFolder, startService, type TestService } from "../../../apps/api/test/start-service.ts";
import { findPackageFaults } from "./testing/find-package-faults.ts";
import { runOrFail } from "./testing/run-program.ts";
import { contentOf, headersOf, hmacOf, newKeyPair, newSecret } from "./testing/sign-webhook.ts";

const root = join(import.meta.dirname, "..", "..", "..");

/** Of the text that the Apache Software Foundation publishes as LICENSE-2.0.txt. */
const apacheLicenceSha256 = "cfc7749b96f63bd31c3c42b5c471bf756814053e847c10f3eb003417bc523d30";

const consumer = `
import { Assay, AssayError, memoryReceipts, type Prediction, ReceiptError, type ReceiptStore, type SessionData, type SessionReport } from "@assay/sdk";
const receipts: ReceiptStore = memoryReceipts();
const assay = new Assay({ apiKey: "k", baseUrl: "http://127.0.0.1", receipts, log: { witnessKeys: [], witnessesMin: 0 } });
export async function use(): Promise<number> {
  const verdict = await assay.predict({ user_engagement: 0.5, session_duration: 10, scroll_depth: undefined });
  const plain: Prediction = verdict;
  const receipt: string | undefined = verdict.meta.receipt;
  const orNull = await assay.score({ user_engagement: 0.5, session_duration: 10 }, { onUnavailable: null });
  const score: number | undefined = orNull?.confidence;
  const result = await assay.requestAd({ format: "native" });
  const headline: string = result.ad === null ? result.noFillReason : result.ad.creative.headline;
  const thrown: number = (await assay.analyze({ user_engagement: 0.5, session_duration: 10 }, { onUnavailable: "throw" })).service_score;
  // @ts-expect-error: the result may be null
  orNull.service_score;
  // @ts-expect-error: there is no such format
  await assay.requestAd({ format: "popup" });
  // @ts-expect-error: the duration is required
  await assay.predict({ user_engagement: 0.5 });
  const posted: SessionReport & { sequence: number } = { session_data: {}, session_token: "at1.1.a", sequence: 1 };
  const measured: readonly string[] = (await assay.predict(posted)).attested;
  const validated: { session_data: SessionData; session_token?: string } = { session_data: { user_engagement: 0.5, session_duration: 10 } };
  const kind: "server_timed" | "asserted" = (await assay.score(validated)).attestation;
  const issue: string | undefined = (await assay.analyze({ user_engagement: 0.5, session_duration: 10 }, { sessionToken: null })).attestation_issues[0];
  // @ts-expect-error: without a token the duration is required
  await assay.predict({ session_data: { user_engagement: 0.5 } });
  // @ts-expect-error: the token may be missing, then the duration is required
  await assay.predict({ session_data: {}, session_token: undefined });
  const names: string[] = (await assay.verifyReceipt()).witnessedBy.map(({ name }) => name);
  void [receipt, score, headline, thrown, AssayError, names, ReceiptError, measured, kind, issue];
  return plain.service_score;
}
`;

const program = `
import { Assay, AssayError } from "@assay/sdk";
const [baseUrl, apiKey] = process.argv.slice(2);
const assay = new Assay({ apiKey, baseUrl });
const verdict = await assay.predict({ user_engagement: 0.75, session_duration: 180, interaction_count: 12, page_views: 5 });
const again = await assay.session(verdict.session_id);
/** Entries are logged every ten seconds. */
async function verifyWhenLogged() {
  for (;;) {
    const verified = await assay.verifyReceipt().catch((error) => (error.code === "not_logged_yet" ? undefined : Promise.reject(error)));
    if (verified) return verified;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}
const verified = await verifyWhenLogged();
const refused = await new Assay({ apiKey: "assay_live_none", baseUrl }).predict({ user_engagement: 1, session_duration: 1 }).catch((error) => error);
console.log(JSON.stringify({ version: process.version, level: verdict.trust_level, receipt: verdict.meta.receipt, verified: verified.receipt === verdict.meta.receipt && verified.proof.startsWith("c2sp.org/tlog-proof"), again: again.service_score === verdict.service_score, refused: refused instanceof AssayError && refused.code }));
`;

const webhookConsumer = `
import { createReplayGuard, verifyWebhook, type WebhookEvent, type WebhookType, WebhookVerificationError } from "@assay/sdk/webhooks";
const guard = createReplayGuard({ sizeMax: 100 });
export async function receive(request: Request): Promise<number> {
  const event: WebhookEvent = await verifyWebhook(await request.text(), request.headers, ["whsec_a", "whpk_b"], { account: "acct_a", seen: guard.seen });
  guard.remember(event.id);
  switch (event.type) {
    case "payout.paid":
      return event.data.amount_usd;
    case "key.revoked":
      return event.data.works_until === null ? 0 : event.data.works_until.length;
    default:
      return unlisted(event.type, event.sequence);
  }
}
const unlisted = (type: string, sequence: number): number => type.length + sequence;
export const receiveInNode = (body: Uint8Array, headers: { [name: string]: string | string[] | undefined }) => verifyWebhook(body, headers, "whsec_a");
export function misuse(event: WebhookEvent, type: WebhookType): string {
  // @ts-expect-error: it is not known which event it is
  event.data.amount_usd;
  // @ts-expect-error: a payout has no such field
  if (event.type === "payout.paid") event.data.iban;
  return type + WebhookVerificationError.name;
}
`;

/** Prints what becomes of the webhooks that it is given: runs in Node, Deno and Bun. */
const webhookProgram = `
import { verifyWebhook } from "@assay/sdk/webhooks";
const { body, headers, secrets } = JSON.parse(await new Promise((resolve) => {
  let text = "";
  process.stdin.on("data", (chunk) => { text += chunk; });
  process.stdin.on("end", () => resolve(text));
}));
const outcomes = await Promise.all(secrets.map((each) => verifyWebhook(body, new Headers(headers), each, { account: "acct_1" }).then(({ type }) => type, ({ code }) => code)));
console.log(JSON.stringify(outcomes));
`;

const testEvent = { type: "webhook.test", timestamp: "2026-01-01T00:00:00.000Z", sequence: 1, account: "acct_1", data: { endpoint_id: "wh_1" } };

/** A genuine webhook, and which secrets say so. */
function makeWebhook() {
  const [secret, pair] = [newSecret(), newKeyPair()];
  const signed = { id: "evt_1", atSeconds: Math.floor(Date.now() / 1_000), body: JSON.stringify(testEvent) };
  const headers = headersOf(signed, `${hmacOf(secret, signed)} ${pair.sign(contentOf(signed))}`);
  return { body: signed.body, headers, secrets: [secret, pair.publicKey, newSecret(), newKeyPair().publicKey, ""] };
}
const webhookOutcomes = ["webhook.test", "webhook.test", "bad_signature", "bad_signature", "bad_secret"];

const inPath = (name: string): string | undefined => (process.env.PATH ?? "").split(delimiter).map((folder) => join(folder, name)).find((file) => existsSync(file));

/** The oldest Node that the package supports, if it is in PATH. */
const node20: string | undefined = (process.env.PATH ?? "")
  .split(delimiter)
  .map((folder) => join(folder, "node"))
  .find((node) => spawnSync(node, ["--version"], { encoding: "utf8" }).stdout?.startsWith("v20."));

describe("the packed SDK in an empty project", () => {
  const project = makeTestFolder();
  const installed = join(project, "node_modules", "@assay", "sdk");
  let service: TestService;

  before(async () => {
    writeFileSync(join(project, "package.json"), '{"name":"empty","private":true,"type":"module"}');
    await installOffline(project, builtPackage("assay-sdk-0.1.0.tgz"));
    service = await startService();
  });
  after(() => service?.stop());

  it("contains its build and types, and has no dependencies", () => {
    assert.deepEqual(readdirSync(join(project, "node_modules", "@assay")), ["sdk"]);
    for (const file of ["dist/assay.js", "dist/assay.d.ts", "dist/webhooks.js", "dist/webhooks.d.ts"]) {
      const text = readFileSync(join(installed, file), "utf8");
      assert.doesNotMatch(text, /^\s*(import|export)\b[^;]*\bfrom\b|\bimport\(|\brequire\(|\bnode:|typebox|@assay\/contract/m, file);
      assert.doesNotMatch(text, /^\/\/.*(\.\.\/){2}/m, `${file} names a path of the machine that packed it`);
    }
  });

  it("is ready to be published, and so is the collector", async () => {
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
    const license = "Apache-2.0";
    const sdkFiles = ["LICENSE", "README.md", "dist/assay.d.ts", "dist/assay.js", "dist/webhooks.d.ts", "dist/webhooks.js", "package.json"];
    assert.ok(readFileSync(join(installed, "dist/assay.js"), "utf8").includes(`assay-typescript/${version}`), "the SDK names another version to the service");
    assert.deepEqual(findPackageFaults(installed, { version, license, files: sdkFiles }), []);
    const page = makeTestFolder();
    writeFileSync(join(page, "package.json"), '{"name":"page","private":true}');
    await installOffline(page, builtPackage("assay-collector-0.1.0.tgz"));
    const collectorFiles = ["LICENSE", "README.md", "dist/collector.d.ts", "dist/collector.js", "dist/script.iife.js", "package.json"];
    const collector = join(page, "node_modules", "@assay", "collector");
    assert.deepEqual(findPackageFaults(collector, { version, license, files: collectorFiles }), []);
    for (const folder of [installed, collector]) {
      assert.equal(createHash("sha256").update(readFileSync(join(folder, "LICENSE"))).digest("hex"), apacheLicenceSha256, folder);
    }
  });

  it("would be rejected with a fault in it", () => {
    const folder = makeTestFolder();
    const expected = { version: "1.0.0", license: "X", files: ["README.md", "package.json"] };
    const broken = { name: "b", private: true, version: "0.9.0", exports: { ".": { default: "./dist/b.js", types: "dist/b.d.ts" } }, dependencies: {}, scripts: { postinstall: "x" } };
    writeFileSync(join(folder, "package.json"), JSON.stringify(broken));
    const faults = findPackageFaults(folder, expected).join("\n");
    for (const fault of ["private", "version is 0.9.0", "licence", "no description", "keywords", "module", "sideEffects", "publishConfig", "dependencies", "install script", "README does not start", "README has no", "it contains", "./dist/b.js does not exist", "does not start with ./", "not the first condition", "./package.json"]) {
      assert.ok(faults.includes(fault), `${fault} is missing in\n${faults}`);
    }
  });

  for (const { name, node } of [{ name: "the newest Node", node: process.execPath }, { name: "Node 20", node: node20 }]) {
    it(`scores a session and verifies its receipt on ${name}`, { skip: node === undefined && "no Node 20 in PATH" }, async (t) => {
      const { liveKey } = await makeAccount({ dataDir: service.dataDir, databaseUrl: undefined });
      writeFileSync(join(project, "use.js"), program);
      const printed = JSON.parse(await runOrFail(node!, ["use.js", service.url, liveKey], { cwd: project })) as Record<string, unknown>;
      t.diagnostic(String(printed.version));
      assert.deepEqual([printed.level, printed.again, printed.verified, printed.refused], ["high", true, true, "invalid_api_key"]);
      assert.match(String(printed.receipt), /^\d+\.[0-9a-f]{64}$/);
    });
  }

  it("verifies webhooks where there is nothing but what the web has standardised", async () => {
    const source = readFileSync(join(installed, "dist/webhooks.js"), "utf8");
    const [, names] = /^export \{ ([\w, ]+) \};\s*$/m.exec(source)!;
    const { body, headers, secrets } = makeWebhook();
    const context = createContext({ crypto, TextEncoder, TextDecoder, atob, body, headers, secrets }, { codeGeneration: { strings: false, wasm: false } });
    assert.equal(runInContext("typeof process + typeof Buffer + typeof require + typeof fetch + typeof setTimeout", context), "undefined".repeat(5));
    // A script has no exports; everything else stays as it is.
    runInContext(`${source.replace(/^export \{.*$/m, "")}\nglobalThis.sdk = { ${names} };`, context);
    const printed = (await runInContext("Promise.all(secrets.map((each) => sdk.verifyWebhook(body, headers, each, { account: 'acct_1' }).then(({ type }) => type, ({ code }) => code))).then(JSON.stringify)", context)) as string;
    assert.deepEqual(JSON.parse(printed), webhookOutcomes);
    assert.equal(runInContext("{ const guard = sdk.createReplayGuard(); guard.remember('evt_1'); guard.seen('evt_1'); }", context), true);
  });

  it("verifies webhooks on each runtime in PATH, of Node 20, Deno and Bun too", async (t) => {
    writeFileSync(join(project, "receive.js"), `import process from "node:process";\n${webhookProgram}`);
    const runtimes = [[process.execPath, "receive.js"], [node20, "receive.js"], [inPath("deno"), "run", "receive.js"], [inPath("bun"), "receive.js"]];
    for (const [runtime, ...given] of runtimes) {
      if (runtime === undefined) continue;
      t.diagnostic(runtime);
      const printed = await runOrFail(runtime, given as string[], { cwd: project, input: JSON.stringify(makeWebhook()) });
      assert.deepEqual(JSON.parse(printed), webhookOutcomes, runtime);
    }
  });

  it("has types that resolve under nodenext and bundler, with the DOM library and with Node's types", async () => {
    writeFileSync(join(project, "consumer.ts"), consumer);
    writeFileSync(join(project, "receiver.ts"), webhookConsumer);
    mkdirSync(join(project, "types"));
    symlinkSync(join(root, "node_modules", "@types", "node"), join(project, "types", "node"));
    symlinkSync(join(root, "node_modules", "undici-types"), join(project, "node_modules", "undici-types"));
    const strict = { noEmit: true, strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true };
    const libraries = [
      // Without skipLibCheck the declarations themselves are checked too.
      { lib: ["es2022", "dom"], types: [], skipLibCheck: false },
      { lib: ["es2022"], typeRoots: ["types"], types: ["node"], skipLibCheck: true },
    ];
    for (const library of libraries) {
      for (const resolution of [{ module: "nodenext", moduleResolution: "nodenext" }, { module: "esnext", moduleResolution: "bundler" }]) {
        const compilerOptions = { target: "es2022", ...strict, ...library, ...resolution };
        writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["consumer.ts", "receiver.ts"] }));
        await runOrFail(process.execPath, [join(root, "node_modules", "typescript", "bin", "tsc"), "-p", "."], { cwd: project });
      }
    }
  });
});
