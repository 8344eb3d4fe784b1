// Plays the corpus of clients/conformance with the installed package.
import { Assay, AssayError, verifyProof } from "@assay/sdk";
import { verifyWebhook } from "@assay/sdk/webhooks";
import { createInterface } from "node:readline";

/** A clock whose waits take no time, and are written down. */
function createClock(waitsMs) {
  let nowMs = 0;
  return {
    nowMs: () => nowMs,
    async wait(ms) {
      waitsMs.push(ms);
      nowMs += ms;
    },
  };
}

const makeCall = {
  predict: (assay, { session }, options) => assay.predict(session, options),
  score: (assay, { session }, options) => assay.score(session, options),
  analyze: (assay, { session }, options) => assay.analyze(session, options),
  analyze_traffic: (assay, { window }, options) => assay.analyzeTraffic(window, options),
  session: (assay, { session_id }, options) => assay.session(session_id, options),
  report_outcome: (assay, { session_id, outcome }, options) => assay.reportOutcome(session_id, outcome, options),
  usage: (assay, { window }, options) => assay.usage(window, options),
  statement: (assay, { month }, options) => assay.statement(month, options),
  request_ad: (assay, { request }, options) => assay.requestAd(request, options),
  proof: (assay, { seq }, options) => assay.proof(seq, options),
};

const describeMeta = ({ requestId, receipt, replayed, attempts }) => ({ request_id: requestId ?? null, receipt: receipt ?? null, replayed, attempts });

function describeError(error) {
  const { code, status, message, requestId, isRetryable, retryAfterSeconds, attempts, idempotencyKey } = error;
  return { code, status, message, request_id: requestId ?? null, is_retryable: isRetryable, retry_after_seconds: retryAfterSeconds ?? null, attempts, idempotency_key: idempotencyKey ?? null };
}

async function call({ client, chance, method, arguments: given, options = {} }) {
  const waitsMs = [];
  const forTests = chance === undefined ? {} : { clock: createClock(waitsMs), random: () => chance };
  const assay = new Assay({ apiKey: client.api_key, baseUrl: client.base_url, timeoutMs: client.timeout_ms, attemptsMax: client.attempts_max, totalMsMax: client.total_ms_max, ...forTests });
  const fallback = { value: options.on_unavailable };
  const { idempotency_key: idempotencyKey, session_token: sessionToken, test_scenario: testScenario } = options;
  try {
    const result = await makeCall[method](assay, given, { idempotencyKey, sessionToken, testScenario, ...("on_unavailable" in options && { onUnavailable: fallback }) });
    if (result === fallback) return { fallback: fallback.value, waits_ms: waitsMs };
    const { meta, noFillReason, ...body } = result;
    const answer = method === "request_ad" ? { ...body, no_fill_reason: noFillReason ?? null } : body;
    return { answer, meta: describeMeta(meta), waits_ms: waitsMs };
  } catch (error) {
    if (!(error instanceof AssayError)) throw error;
    return { error: describeError(error), waits_ms: waitsMs };
  }
}

const commands = {
  call,
  async verify_webhook({ payload_base64, headers, secrets, tolerance_seconds, payload_bytes_max, now_ms, seen, account }) {
    const options = { toleranceSeconds: tolerance_seconds, payloadBytesMax: payload_bytes_max, now: () => now_ms, account, seen: seen && ((id) => seen.includes(id)) };
    return verifyWebhook(Buffer.from(payload_base64, "base64"), headers, secrets, options).then(
      (answer) => ({ answer }),
      ({ code, status }) => ({ error: { code, status } }),
    );
  },
  async verify_proof({ proof, receipt, log_keys, witness_keys }) {
    try {
      const { accountId, witnessedBy, ...rest } = await verifyProof(proof, receipt, { logKeys: log_keys, witnessKeys: witness_keys });
      return { answer: { account_id: accountId, ...rest, witnessed_by: witnessedBy.map(({ name, atMs }) => ({ name, at_ms: atMs })) } };
    } catch (error) {
      if (!(error instanceof AssayError)) throw error;
      return { error: { code: error.code } };
    }
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const command = JSON.parse(line);
  const reply = await commands[command.do](command).catch((error) => ({ refused: error.message }));
  console.log(JSON.stringify(reply));
}
