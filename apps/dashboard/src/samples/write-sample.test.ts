import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { describe, it } from "node:test";
import { runInNewContext } from "node:vm";
import { clientCalls } from "./client-calls.ts";
import { type Json, writeLiteral } from "./literals.ts";
import { languagesOf, type SampleCall, sampleLanguages, writeSample } from "./write-sample.ts";

const address = "https://assay.test";
const calls: Record<string, Pick<SampleCall, "template" | "path" | "query" | "body">> = {
  predict: { template: "/api/ml/predict", path: {}, query: {}, body: { session_data: { user_engagement: 0.5, session_duration: 9 } } },
  score: { template: "/api/ml/score", path: {}, query: {}, body: { session_data: { user_engagement: 0.5 } } },
  analyze: { template: "/api/ml/analyze", path: {}, query: {}, body: { session_data: { user_engagement: 0.5 } } },
  analyzeTraffic: { template: "/api/servicescore/analyze", path: {}, query: {}, body: { from: "2026-01-08" } },
  session: { template: "/api/sessions/{session_id}", path: { session_id: "sess_1" }, query: {}, body: undefined },
  recordOutcome: { template: "/api/sessions/{session_id}/outcome", path: { session_id: "sess_1" }, query: {}, body: { outcome: "converted" } },
  usage: { template: "/api/usage", path: {}, query: {}, body: undefined },
  statement: { template: "/api/statements/{month}", path: { month: "2026-01" }, query: {}, body: undefined },
  requestAd: { template: "/api/ads/request", path: {}, query: {}, body: { format: "native" } },
  ledgerProof: { template: "/api/ledger/proof", path: {}, query: { seq: "7" }, body: undefined },
};
const callOf = (operationId: string): SampleCall => ({ operationId, method: "post", security: "key", ...calls[operationId]! });
const sampleOf = (language: (typeof sampleLanguages)[number], operationId: string): string => writeSample(language, callOf(operationId), { address });

const names: Record<string, (method: string) => string> = {
  TypeScript: (method) => `assay.${method}(`,
  Python: (method) => `assay.${method.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}(`,
  Go: (method) => `client.${method[0]!.toUpperCase()}${method.slice(1)}(ctx`,
  PHP: (method) => `$assay->${method}(`,
  Java: (method) => `assay.${method}(`,
};

describe("samples", () => {
  it("call each method of the clients by its name in each language, with the address and the key's variable", () => {
    assert.deepEqual(Object.keys(clientCalls).toSorted(), Object.keys(calls).toSorted());
    for (const [operationId, { method }] of Object.entries(clientCalls)) {
      assert.deepEqual(languagesOf(operationId), sampleLanguages);
      for (const language of sampleLanguages) {
        const code = sampleOf(language, operationId);
        assert.ok(code.includes(address) && code.includes("ASSAY_API_KEY"), `${language} ${operationId}`);
        const name = names[language]?.(method);
        if (name !== undefined) assert.ok(code.includes(name), `${language} ${operationId} has no ${name}`);
      }
    }
  });

  it("are in curl alone for what no client has a method for", () => {
    assert.deepEqual(languagesOf("logKey"), ["curl"]);
    assert.throws(() => writeSample("Go", { ...callOf("usage"), operationId: "logKey" }, { address }), /no client has a method for logKey/);
  });

  it("reach the right address with the right body from a shell", () => {
    const call: SampleCall = { ...callOf("recordOutcome"), body: { outcome: "it's" } };
    const printed = execFileSync("sh", ["-c", writeSample("curl", call, { address }).replace(/^curl -s/, "printf '%s\\n'")], { encoding: "utf8", env: { ...process.env, ASSAY_API_KEY: "k1" } });
    assert.deepEqual(printed.trimEnd().split("\n"), [`${address}/api/sessions/sess_1/outcome`, "-H", "X-API-Key: k1", "-H", "Content-Type: application/json", "-d", `{"outcome":"it's"}`]);
    const proof = execFileSync("sh", ["-c", sampleOf("curl", "ledgerProof").replace(/^curl -s/, "printf '%s\\n'")], { encoding: "utf8" });
    assert.equal(proof.split("\n")[0], `${address}/api/ledger/proof?seq=7`);
  });

  it("name the token of a campaign where one is needed, and no credential where none is", () => {
    assert.match(writeSample("curl", { ...callOf("usage"), security: "campaign" }, { address }), /Authorization: Bearer \$ASSAY_CAMPAIGN_TOKEN/);
    assert.doesNotMatch(writeSample("curl", { ...callOf("usage"), security: "none" }, { address }), /ASSAY|-H/);
  });

  it("let the caller mark the key", () => {
    for (const language of sampleLanguages) assert.match(writeSample(language, callOf("predict"), { address, showKey: (key) => `<${key}>` }), /<[^<>]*ASSAY_API_KEY[^<>]*>/, language);
  });
});

describe("literals", () => {
  const value: Json = { text: `a "b" 'c'`, yes: true, no: null, list: [1, "x"], inner: { n: 0.5 } };

  it("mean the same in TypeScript as in JSON", () => {
    assert.deepEqual(runInNewContext(`JSON.stringify(${writeLiteral("TypeScript", value)})`), JSON.stringify(value));
  });

  it("are written as each language writes them", () => {
    assert.match(writeLiteral("Python", value), /"yes": True/);
    assert.match(writeLiteral("Python", value), /"no": None/);
    assert.match(writeLiteral("PHP", value), /'text' => 'a "b" \\'c\\''/);
    assert.match(writeLiteral("Go", value), /"no": nil/);
    assert.match(writeLiteral("Java", { inner: { n: 1 } }), /^Map\.of\("inner", Map\.of\("n", 1\)\)$/);
  });
});
