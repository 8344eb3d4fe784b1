// A shop's back end: it takes the signals that the page measured, has Assay score them, and decides.
//   ASSAY_URL=http://127.0.0.1:8080 ASSAY_API_KEY=assay_test_… npm start
// With ASSAY_SITE=site_… Assay measures too, and the shop's word need not be taken for it: docs/attestation.md.
import { Assay } from "@assay/sdk";
import fastify from "fastify";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const { ASSAY_URL, ASSAY_API_KEY, ASSAY_SITE = "", ASSAY_PAGE = join(import.meta.dirname, "..", "page"), PORT = "3000" } = process.env;
if (!/^(site_[0-9A-Za-z]+)?$/.test(ASSAY_SITE)) throw new Error("ASSAY_SITE must be the id of a site, such as site_…");
const assay = new Assay({ apiKey: ASSAY_API_KEY, baseUrl: ASSAY_URL, timeoutMs: 2_000, totalMsMax: 5_000 });

const readPage = (name) => readFileSync(join(ASSAY_PAGE, name), "utf8");
// With a site the collector comes from Assay, and then knows where to report. Without one it is our own copy, and calls nobody but us.
const collectorUrl = ASSAY_SITE ? `${ASSAY_URL.replace(/\/+$/, "")}/c/v1/collector.js` : "/collector.js";
const collectorTag = `<script src="${collectorUrl}" ${ASSAY_SITE && `data-site="${ASSAY_SITE}" `}data-endpoint="/signals" defer></script>`;
const page = readPage("index.html").replace("<!-- collector -->", () => collectorTag);
const pageScript = readPage("page.js");
const pageStyle = readPage("page.css");
const collector = readFileSync(new URL(import.meta.resolve("@assay/collector/script")));

// Ads, and with a site the collector, come from Assay; everything else from us. Nothing inline, no eval.
const assayOrigin = new URL(ASSAY_URL).origin;
const contentSecurityPolicy = [
  "default-src 'none'",
  `script-src 'self'${ASSAY_SITE && ` ${assayOrigin}`}`,
  `connect-src 'self' ${assayOrigin}`,
  `img-src ${assayOrigin}`,
  "style-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

// What the page sends is validated here: only the fields listed below are passed on to Assay.
const sessionData = {
  type: "object",
  required: ["user_engagement", "session_duration"],
  additionalProperties: false,
  properties: {
    user_engagement: { type: "number", minimum: 0, maximum: 1 },
    session_duration: { type: "number", minimum: 0, maximum: 86_400 },
    scroll_depth: { type: "number", minimum: 0, maximum: 1 },
    interaction_count: { type: "integer", minimum: 0, maximum: 100_000 },
    page_views: { type: "integer", minimum: 0, maximum: 10_000 },
    return_visitor: { type: "boolean" },
  },
};
// Sealed by Assay: it says whether the token is genuine.
const sessionToken = { type: "string", maxLength: 512 };
const judgeSchema = { body: { type: "object", properties: { session_data: sessionData, session_token: sessionToken } } };
const signalsSchema = {
  body: {
    type: "object",
    required: ["session_data", "sequence"],
    properties: { session_data: sessionData, session_token: sessionToken, sequence: { type: "integer", minimum: 1 } },
  },
};

const formats = ["banner", "native", "interstitial"];
/** The last report of each visit's page, for orders that are judged later. The shop's own cookie identifies the visit. */
const reports = new Map();
const reportsMax = 10_000;

const visitOf = (request) => /(?:^|; )visit=([0-9a-f-]{36})/.exec(request.headers.cookie ?? "")?.[1];

function keepReport(visit, report) {
  // Totals are cumulative and may arrive in any order: the report with the highest sequence holds everything.
  if (visit === undefined || report.sequence <= (reports.get(visit)?.sequence ?? 0)) return;
  reports.delete(visit);
  reports.set(visit, report);
  if (reports.size > reportsMax) reports.delete(reports.keys().next().value);
}

const app = fastify({ bodyLimit: 4_096 });
app.get("/", (request, reply) => {
  if (visitOf(request) === undefined) reply.header("set-cookie", `visit=${randomUUID()}; HttpOnly; SameSite=Lax; Path=/`);
  return reply.header("content-security-policy", contentSecurityPolicy).type("text/html").send(page);
});
app.get("/page.css", (_request, reply) => reply.type("text/css").send(pageStyle));
app.get("/page.js", (_request, reply) => reply.type("text/javascript").send(pageScript));
app.get("/collector.js", (_request, reply) => reply.type("text/javascript").send(collector));

app.post("/signals", { schema: signalsSchema }, (request, reply) => {
  keepReport(visitOf(request), request.body);
  return reply.code(204).send();
});

app.post("/judge", { schema: judgeSchema }, async (request, reply) => {
  const report = request.body.session_data ? request.body : reports.get(visitOf(request));
  if (report === undefined) return reply.code(400).send({ error: "nothing is known of this visit" });
  // The signals and the token, if there is one; the rest of the report stays here. Without a verdict the shop continues.
  const verdict = await assay.predict(report, { onUnavailable: null });
  if (verdict === null) return { trust_level: "unknown", ads: {} };
  const context = { app_category: "shopping", session_id: verdict.session_id };
  const results = await Promise.all(formats.map((format) => assay.requestAd({ format, user_context: context }, { onUnavailable: { ad: null } })));
  const ads = Object.fromEntries(formats.map((format, index) => [format, results[index].ad]));
  const { trust_level, service_score, session_id, attestation, attestation_issues } = verdict;
  return { trust_level, service_score, session_id, attestation, attestation_issues, ads };
});

await app.listen({ host: "127.0.0.1", port: Number(PORT) });
console.log(`The shop is open at http://127.0.0.1:${app.server.address().port}`);
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => void app.close());
