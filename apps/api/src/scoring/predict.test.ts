import assert from "node:assert/strict";
import { before, it } from "node:test";
import { describeBothStores, type TestDatabase } from "../../test/both-stores.ts";
import { makeAccount, type TestAccount, vastTier } from "../../test/make-account.ts";
import { goodSignals, predict } from "../../test/send.ts";
import type { TestService } from "../../test/start-service.ts";

const countMax = 2_147_483_647;
const durationMax = 31_536_000;

/** Accepted and refused values of each signal, with the text that the 400 must contain. */
const bounds: { field: string; required: boolean; accepts: string[]; refuses: [raw: string, expected: string][] }[] = [
  {
    field: "user_engagement",
    required: true,
    accepts: ["0", "1", "0.5", "-0", "1.0", "5e-324"],
    refuses: [
      ["-0.0001", "must be at least 0"],
      ["1.0001", "must be at most 1"],
      ["1e999", "must be"],
      ["-1e999", "must be"],
      ['"0.5"', "must be a number"],
      ["true", "must be a number"],
      ["null", "must be a number"],
      ["[0.5]", "must be a number"],
      ["{}", "must be a number"],
    ],
  },
  {
    field: "session_duration",
    required: true,
    accepts: ["0", "12.75", String(durationMax)],
    refuses: [
      ["-1", "must be at least 0"],
      [`${durationMax}.5`, `must be at most ${durationMax}`],
      [String(durationMax + 1), `must be at most ${durationMax}`],
      ["1e999", "must be"],
      ['"180"', "must be a number"],
      ["null", "must be a number"],
    ],
  },
  {
    field: "scroll_depth",
    required: false,
    accepts: ["0", "1", "0.33"],
    refuses: [
      ["-0.1", "must be at least 0"],
      ["1.1", "must be at most 1"],
      ['"1"', "must be a number"],
      ["false", "must be a number"],
      ["null", "must be a number"],
    ],
  },
  ...["interaction_count", "page_views"].map((field) => ({
    field,
    required: false,
    accepts: ["0", "7", "7.0", String(countMax)],
    refuses: [
      ["-1", "must be at least 0"],
      [String(countMax + 1), `must be at most ${countMax}`],
      ["1e999", "must be"],
      ["1.5", "must be a whole number"],
      ['"3"', "must be a whole number"],
      ["true", "must be a whole number"],
      ["null", "must be a whole number"],
    ] as [string, string][],
  })),
  {
    field: "return_visitor",
    required: false,
    accepts: ["true", "false"],
    refuses: [
      ["1", "must be a boolean"],
      ["0", "must be a boolean"],
      ['"true"', "must be a boolean"],
      ["null", "must be a boolean"],
    ],
  },
];

/** As text, because JSON.stringify cannot write 1e999. */
function bodyWith(field: string, raw: string | undefined): string {
  const members = Object.entries({ user_engagement: "0.5", session_duration: "60", [field]: raw });
  return `{"session_data":{${members.flatMap(([name, text]) => (text === undefined ? [] : `"${name}":${text}`)).join(",")}}}`;
}

describeBothStores("a scoring call", (open) => {
  let database: TestDatabase;
  let service: TestService;
  let account: TestAccount;

  before(async () => {
    database = await open();
    account = await makeAccount(database.store, { tier: vastTier });
    service = await database.serve();
  });

  const call = (body: unknown, path?: string) => predict(service, account.liveKey, { body, ...(path && { path }) });

  const readRecord = (sessionId: unknown) =>
    database.store.db.selectFrom("session_records").selectAll().where("id", "=", String(sessionId)).executeTakeFirstOrThrow();

  it("answers all documented fields with their types and within their bounds", async () => {
    const answer = await predict(service, account.liveKey);
    assert.equal(answer.status, 200);
    assert.equal(answer.headers["content-type"], "application/json; charset=utf-8");
    const { service_score, trust_level, confidence, processing_time_ms, session_id, timestamp, recommendation, model_version, ...rest } =
      answer.json();
    assert.equal(typeof service_score, "number");
    const score = service_score as number;
    assert(score >= 0 && score <= 100 && Math.round(score * 10) / 10 === score);
    assert.equal(trust_level, score >= 70 ? "high" : score >= 40 ? "medium" : "low");
    assert(typeof confidence === "number" && confidence >= 0 && confidence <= 1);
    assert(typeof processing_time_ms === "number" && processing_time_ms >= 0);
    assert.match(session_id as string, /^sess_[0-9A-Za-z]{20,}$/);
    assert.equal(new Date(timestamp as string).toISOString(), timestamp);
    assert(["high_value_user", "standard_user", "low_value_user", "suspected_automation"].includes(recommendation as string));
    assert.equal(typeof model_version, "string");
    assert.deepEqual(rest, { revenue_attribution: 0.035, attribution_confidence: confidence, calibration: "shipped", attestation: "asserted", attested: [], attestation_issues: [] });
  });

  it("answers the same on both paths", async () => {
    const [one, other] = await Promise.all([call({ session_data: goodSignals }), call({ session_data: goodSignals }, "/ml/predict")]);
    const verdictOf = (answer: typeof one) => {
      const { processing_time_ms: _ms, session_id: _id, timestamp: _at, ...verdict } = answer.json();
      return verdict;
    };
    assert.equal(other.status, 200);
    assert.deepEqual(verdictOf(other), verdictOf(one));
    assert.deepEqual(Object.keys(other.json()), Object.keys(one.json()));
  });

  it("returns session ids that increase with time", async () => {
    const first = (await call({ session_data: goodSignals })).json().session_id as string;
    const second = (await call({ session_data: goodSignals })).json().session_id as string;
    assert(second > first);
  });

  it("accepts each signal up to its bounds and stores it", async () => {
    for (const { field, accepts } of bounds) {
      for (const raw of accepts) {
        const answer = await call(bodyWith(field, raw));
        assert.equal(answer.status, 200, `${field}: ${raw}: ${answer.text}`);
        const record = await readRecord(answer.json().session_id);
        const kept = record[field as keyof typeof record];
        assert(kept === Number(JSON.parse(raw)), `${field}: ${raw} was stored as ${kept}`);
      }
    }
  });

  it("refuses each signal beyond its bounds or of another type, and names the field", async () => {
    for (const { field, refuses } of bounds) {
      for (const [raw, expected] of refuses) {
        const answer = await call(bodyWith(field, raw));
        assert.equal(answer.status, 400, `${field}: ${raw}`);
        const { error, message, ...rest } = answer.json();
        assert.equal(error, "invalid_request");
        assert((message as string).startsWith(`session_data.${field} ${expected}`), `${field}: ${raw}: ${String(message)}`);
        assert.deepEqual(rest, {});
      }
    }
  });

  it("never repeats a refused value", async () => {
    for (const { field } of bounds) {
      const answer = await call(bodyWith(field, '"a-value-nobody-may-see"'));
      assert.equal(answer.status, 400);
      assert(!answer.text.includes("nobody-may-see"), answer.text);
    }
  });

  it("requires the required signals only", async () => {
    for (const { field, required } of bounds) {
      const answer = await call(bodyWith(field, undefined));
      assert.equal(answer.status, required ? 400 : 200, field);
      if (required) assert.deepEqual(answer.json(), { error: "invalid_request", message: `Missing required field: session_data.${field}` });
    }
  });

  it("says when session_data is missing or not an object", async () => {
    const missing = await call({ user_engagement: 0.5 });
    assert.equal(missing.status, 400);
    assert.deepEqual(missing.json(), { error: "invalid_request", message: "Missing required field: session_data" });
    for (const wrong of [null, "text", 7, [], [goodSignals], true]) {
      const answer = await call({ session_data: wrong });
      assert.equal(answer.status, 400, JSON.stringify(wrong));
      const isList = Array.isArray(wrong);
      assert(isList || answer.json().message === "session_data must be an object", answer.text);
    }
  });

  it("says when the body is not a JSON object", async () => {
    for (const wrong of ["null", "7", '"text"', "[]", "true"]) {
      const answer = await call(wrong);
      assert.equal(answer.status, 400, wrong);
      assert.deepEqual(answer.json(), { error: "invalid_request", message: "The body must be a JSON object" });
    }
  });

  it("ignores unknown fields and stores none of them", async () => {
    const body = { extra: "unknown-outside", session_data: { ...goodSignals, latency: "unknown-inside", nested: { deep: ["unknown-deep"] } } };
    const answer = await call(body);
    assert.equal(answer.status, 200);
    const plain = await call({ session_data: goodSignals });
    assert.equal(answer.json().service_score, plain.json().service_score);
    assert(!answer.text.includes("unknown-"));
    const record = await readRecord(answer.json().session_id);
    assert(!JSON.stringify(record).includes("unknown-"));
  });

  it("stores the session with its signals, its score and its ledger entry", async () => {
    const answer = await call({ session_data: { user_engagement: 0.25, session_duration: 90.5, return_visitor: false } });
    const { session_id, service_score, confidence, recommendation, model_version, processing_time_ms, timestamp } = answer.json();
    const record = await readRecord(session_id);
    assert.deepEqual({ ...record }, {
      account_id: account.accountId,
      id: session_id,
      mode: "live",
      endpoint: "predict",
      at: Date.parse(timestamp as string),
      user_engagement: 0.25,
      session_duration: 90.5,
      scroll_depth: null,
      interaction_count: null,
      page_views: null,
      return_visitor: 0,
      service_score,
      confidence,
      recommendation,
      model_version,
      processing_time_ms,
      ledger_seq: Number(String(answer.headers["assay-receipt"]).split(".")[0]),
      attested: null,
      attestation_issues: null,
      calibration: null,
    });
  });
});
