// A shop's back end: it receives the signals that the page measured, has Assay score them, and decides.
//   ASSAY_URL=http://127.0.0.1:8080 ASSAY_API_KEY=assay_test_… npm start
import { Assay } from "@assay/sdk";
import fastify from "fastify";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";

const { ASSAY_URL, ASSAY_API_KEY, PORT = "3000" } = process.env;
const assay = new Assay({ apiKey: ASSAY_API_KEY, baseUrl: ASSAY_URL, timeoutMs: 2_000, totalMsMax: 5_000 });

const page = readFileSync(new URL("public/index.html", import.meta.url));
const pageScript = readFileSync(new URL("public/page.js", import.meta.url));
const collector = readFileSync(new URL(import.meta.resolve("@assay/collector/script")));

// The page is not trusted: its input is validated, and only the fields listed here are sent to Assay.
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
const judgeSchema = { body: { type: "object", properties: { session_data: sessionData } } };
const signalsSchema = {
  body: { type: "object", required: ["session_data", "sequence"], properties: { session_data: sessionData, sequence: { type: "integer", minimum: 1 } } },
};

const formats = ["banner", "native", "interstitial"];
/** The latest signals of each visit, for orders that are scored after the page was left. The shop's cookie identifies the visit. */
const reports = new Map();
const reportsMax = 10_000;

const visitOf = (request) => /(?:^|; )visit=([0-9a-f-]{36})/.exec(request.headers.cookie ?? "")?.[1];

function saveReport(visit, report) {
  // Signals are cumulative, so the highest sequence number wins, in whatever order reports arrive.
  if (visit === undefined || report.sequence <= (reports.get(visit)?.sequence ?? 0)) return;
  reports.delete(visit);
  reports.set(visit, report);
  if (reports.size > reportsMax) reports.delete(reports.keys().next().value);
}

const app = fastify({ bodyLimit: 4_096 });
app.get("/", (request, reply) => {
  if (visitOf(request) === undefined) reply.header("set-cookie", `visit=${randomUUID()}; HttpOnly; SameSite=Lax; Path=/`);
  return reply.type("text/html").send(page);
});
app.get("/page.js", (_request, reply) => reply.type("text/javascript").send(pageScript));
app.get("/collector.js", (_request, reply) => reply.type("text/javascript").send(collector));

app.post("/signals", { schema: signalsSchema }, (request, reply) => {
  saveReport(visitOf(request), request.body);
  return reply.code(204).send();
});

app.post("/judge", { schema: judgeSchema }, async (request, reply) => {
  const signals = request.body.session_data ?? reports.get(visitOf(request))?.session_data;
  if (signals === undefined) return reply.code(400).send({ error: "no signals are known for this visit" });
  // Without a verdict the shop continues, with less information.
  const verdict = await assay.predict(signals, { onUnavailable: null });
  if (verdict === null) return { trust_level: "unknown", ads: {} };
  const context = { app_category: "shopping", session_id: verdict.session_id };
  const results = await Promise.all(formats.map((format) => assay.requestAd({ format, user_context: context }, { onUnavailable: { ad: null } })));
  const ads = Object.fromEntries(formats.map((format, index) => [format, results[index].ad]));
  return { trust_level: verdict.trust_level, service_score: verdict.service_score, session_id: verdict.session_id, ads };
});

await app.listen({ host: "127.0.0.1", port: Number(PORT) });
console.log(`The shop is running at http://127.0.0.1:${app.server.address().port}`);
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => void app.close());
