import assert from "node:assert/strict";
import * as fc from "fast-check";
import { before, it } from "node:test";
import { describeBothStores, type TestDatabase } from "../../test/both-stores.ts";
import { dumpDatabase } from "../../test/dump-database.ts";
import { makeAccount, type TestAccount, vastTier } from "../../test/make-account.ts";
import { type Answer, goodSignals, predict, send } from "../../test/send.ts";
import type { TestService } from "../../test/start-service.ts";

const signalNames = Object.keys(goodSignals);
const strangeNames = ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "", "\u0000", "a.b", "a/b", "$ref", "ﬁeld", "😀", "\ud800"];

const strangeValues = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }),
  fc.double(),
  fc.bigInt().map(String),
  fc.constantFrom("1e999", "-1e999", "1e-999", "0.1e1", "9".repeat(400), `1${"0".repeat(5_000)}`),
  fc.string({ unit: "binary", maxLength: 200 }),
);

/** A scoring request in which any part may be arbitrary. */
const almostRequests = fc
  .record({
    signals: fc.dictionary(fc.oneof(fc.constantFrom(...signalNames), fc.constantFrom(...strangeNames), fc.string()), strangeValues, { maxKeys: 8 }),
    outside: fc.dictionary(fc.oneof(fc.constantFrom(...strangeNames), fc.string()), fc.jsonValue(), { maxKeys: 3 }),
    isValidOtherwise: fc.boolean(),
  })
  .map(({ signals, outside, isValidOtherwise }) => {
    const inside = { ...signals, ...(isValidOtherwise && goodSignals) };
    const text = JSON.stringify({ ...outside, session_data: inside });
    // Numeric strings become numbers, so that the parser gets numbers that no double can represent.
    return text.replaceAll(/"(-?\d+(?:\.\d+)?(?:e-?\d+)?)"/g, "$1");
  });

const nested = fc
  .record({ depth: fc.integer({ min: 1, max: 30_000 }), kind: fc.constantFrom("array", "object", "both") })
  .map(({ depth, kind }) => {
    const [opening, closing] = { array: ["[", "]"], object: ['{"a":', "}"], both: ['[{"session_data":', "}]"] }[kind] as [string, string];
    const times = Math.min(depth, Math.floor(60_000 / (opening.length + closing.length)));
    return `{"session_data":${opening.repeat(times)}1${closing.repeat(times)}}`;
  });

const poisoned = fc.constantFrom("__proto__", "constructor").chain((name) =>
  fc.jsonValue().map((value) => `{"session_data":{"user_engagement":0.5,"session_duration":5,"${name}":{"prototype":${JSON.stringify(value)}}}}`),
);

const bodies = fc.oneof(
  { arbitrary: almostRequests, weight: 4 },
  { arbitrary: fc.json({ maxDepth: 6, stringUnit: "binary" }), weight: 2 },
  { arbitrary: nested, weight: 1 },
  { arbitrary: poisoned, weight: 1 },
  { arbitrary: fc.string({ unit: "binary", maxLength: 500 }), weight: 1 },
);

/** Must not be in any log line, table or answer. */
const secrets = {
  email: "person.of.interest@example.org",
  phone: "+49-170-5550199",
  name: "Ottilie Geheimrat",
  address: "203.0.113.77",
  place: "52.5200066",
  device: "38400000-8cf0-11bd-b23e-10b96e40000d",
  free: "nobody-wrote-this-down",
};

describeBothStores("the body of a call", (open) => {
  let database: TestDatabase;
  let service: TestService;
  let account: TestAccount;

  before(async () => {
    database = await open();
    account = await makeAccount(database.store, { tier: vastTier });
    service = await database.serve({ env: { LOG_LEVEL: "trace" } });
  });

  it("never makes the service fail, whether it is JSON or not [threat: hostile-request]", async () => {
    const statuses = new Map<number, number>();
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => {
        const { status, text } = await predict(service, account.liveKey, { body });
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        assert([200, 400, 413].includes(status), `${status}: ${text}`);
      }),
      { numRuns: 600 },
    );
    assert((statuses.get(200) ?? 0) > 20 && (statuses.get(400) ?? 0) > 20, `both outcomes occurred: ${JSON.stringify([...statuses])}`);
    assert.equal((await send(service, "/health/live")).status, 200);
  });

  /** The secrets in every part of a request that a caller controls. */
  function callsWithSecrets(): Promise<Answer>[] {
    const { email, phone, name, address, place, device, free } = secrets;
    const sent = (body: unknown, headers: Record<string, string> = {}) => predict(service, account.liveKey, { body, headers });
    const inside = (more: object) => sent({ session_data: { ...goodSignals, ...more } });
    return [
      // Refused for their names.
      inside({ email }),
      inside({ deep: { deeper: [{ phoneNumber: phone }] } }),
      sent({ session_data: goodSignals, full_name: name, client_ip: address }),
      inside({ latitude: place, device_id: device }),
      inside({ [email]: 1 }),
      inside({ [phone.replaceAll(/\D/g, "")]: 1 }),
      // Accepted, because their names do not indicate personal data.
      inside({ note: email, remarks: [phone, { text: name }], [free]: address }),
      sent({ session_data: goodSignals, extra: { place, device } }),
      // Refused for their values.
      inside({ user_engagement: email }),
      inside({ return_visitor: name }),
      inside({ session_duration: [device] }),
      sent({ session_data: free }),
      sent(email),
      // Not JSON.
      sent(`{"session_data": {"note": "${email}", "name": ${name}`),
      sent(`${free} ${device}`),
      sent(`{"email":"${email}"}`, { "content-type": `text/${free}` }),
      sent(`{"a":"${email}${" ".repeat(70_000)}"}`),
      // Headers, addresses and queries.
      sent({ session_data: goodSignals }, { "user-agent": name, cookie: `session=${device}`, "x-forwarded-for": address, referer: `https://example.org/${free}` }),
      sent({ session_data: goodSignals }, { "idempotency-key": email }),
      sent({ session_data: goodSignals }, { "idempotency-key": `${email}${"x".repeat(300)}` }),
      sent({ session_data: goodSignals }, { "assay-test-scenario": free }),
      send(service, `/api/${free}/${email}?name=${encodeURIComponent(name)}`),
      send(service, `/api/usage?from=${email}`, { headers: { "x-api-key": account.liveKey } }),
      send(service, `/api/statements/${free}`, { headers: { "x-api-key": account.liveKey } }),
      send(service, `/api/%zz${free}`),
      // Invalid keys, and an internal error.
      predict(service, `assay_live_${free}`),
      predict(service, email),
      predict(service, account.testKey, { body: { session_data: { ...goodSignals, note: email } }, headers: { "assay-test-scenario": "server_error" } }),
    ];
  }

  it("reaches no answer, log line or table except for the six signals, even at log level trace [threat: personal-data]", async () => {
    const answers = await Promise.all(callsWithSecrets());
    const statuses = new Set(answers.map(({ status }) => status));
    assert.deepEqual([...statuses].toSorted((one, other) => one - other), [200, 400, 401, 404, 413, 415, 500]);
    const metrics = await send(service, "/metrics");
    await service.stop();
    const logs = service.logs();
    assert(logs.includes('"answered"'), "calls are logged at this level");
    const dump = await dumpDatabase(database);
    assert(dump.tables.includes("session_records"));
    assert(dump.text.includes(account.accountId), "the dump contains what is stored");
    const digits = secrets.phone.replaceAll(/\D/g, "");
    for (const secret of [...Object.values(secrets), digits, "Geheimrat", "person.of.interest"]) {
      for (const answer of answers) assert(!answer.text.includes(secret), `${secret} in ${answer.text}`);
      for (const answer of answers) assert(!JSON.stringify(answer.headers).includes(secret), secret);
      assert(!metrics.text.includes(secret), `${secret} is in the metrics`);
      assert(!logs.includes(secret), `${secret} is in the log`);
      assert(!dump.text.includes(secret), `${secret} is in the database`);
    }
    for (const key of [account.liveKey, account.testKey]) {
      assert(!logs.includes(key) && !logs.includes(key.slice("assay_live_".length, -6)), "a key is in the log");
      assert(!dump.text.includes(key), "a key is in the database");
    }
  });
});
