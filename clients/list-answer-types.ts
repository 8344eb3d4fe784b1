// The types of the contract that clients in typed languages need, by the names that callers know them by.
import { AdReply, AdRequest, noFillReasons } from "@assay/contract/ads.ts";
import { AnalysisReply, PredictReply, ScoreReply, SessionData, testScenarios } from "@assay/contract/scoring.ts";
import { OutcomeReply, SessionReply, outcomes } from "@assay/contract/sessions.ts";
import { TrafficReply, TrafficRequest } from "@assay/contract/traffic.ts";
import { StatementReply, UsageReply } from "@assay/contract/usage.ts";
import { deliveredTypes, eventKinds } from "@assay/contract/webhooks.ts";

/** The subset of JSON Schema that the contract uses. */
export type Schema = {
  type?: string | undefined;
  description?: string | undefined;
  enum?: readonly unknown[] | undefined;
  const?: unknown;
  anyOf?: readonly Schema[] | undefined;
  items?: Schema | undefined;
  minItems?: number | undefined;
  maxItems?: number | undefined;
  properties?: Readonly<Record<string, Schema>> | undefined;
  required?: readonly string[] | undefined;
};

export type NamedSchema = { name: string; comment: string; schema: Schema };

const named = (name: string, comment: string, schema: Schema): NamedSchema => ({ name, comment, schema });

/** `score` answers with the shorter shape, to which clients add the confidence under its newer name. */
const confidence = (PredictReply as Schema).properties!.confidence!;
const scoreProperties = { ...(ScoreReply as Schema).properties, confidence };
const Score: Schema = { ...(ScoreReply as Schema), properties: scoreProperties, required: [...((ScoreReply as Schema).required ?? []), "confidence"] };

export const requests: readonly NamedSchema[] = [
  named("SessionData", "The six signals of one visitor session: behaviour only, never personal data. Leave out optional signals that were not measured.", SessionData),
  named("TrafficWindow", "Time window for an analysis of traffic; the last seven days by default.", TrafficRequest),
  named("AdRequest", "Request of an ad; every field is optional.", AdRequest),
];

export const verdicts: readonly NamedSchema[] = [
  named("Prediction", "Answer of `predict`: the verdict on a session.", PredictReply),
  named("Score", "Answer of `score`: the verdict in its shorter shape.", Score),
  named("Analysis", "Answer of `analyze`: the verdict, and what each signal contributed to it.", AnalysisReply),
  named("Session", "Answer of `session`: a scored session as it is stored.", SessionReply),
];

export const answers: readonly NamedSchema[] = [
  named("Traffic", "Answer of `analyzeTraffic`: a summary of your own sessions in a time window.", TrafficReply),
  named("RecordedOutcome", "Answer of `reportOutcome`.", OutcomeReply),
  named("Usage", "Answer of `usage`: live calls and what they earned.", UsageReply),
  named("Statement", "Answer of `statement`: the month's figures, equal to the ledger to the micro-dollar.", StatementReply),
  named("Ad", "An ad to show, with the URLs that record its impression and its click.", AdReply),
];

export const codes: readonly NamedSchema[] = [
  named("Outcome", "How a scored session ended. `converted` and `genuine` are good outcomes; the others are bad ones.", { enum: outcomes }),
  named("NoFillReason", "Why a request got no ad. More may be added.", { enum: noFillReasons }),
  named("TestScenario", "Answer that a test key can force.", { enum: testScenarios }),
  named("WebhookType", "Types of the events that are delivered. More may be added.", { enum: deliveredTypes }),
];

/** What is in the `data` of each type of event that is delivered. */
export const eventData: readonly NamedSchema[] = deliveredTypes.map((type) => named(type, eventKinds[type].summary, eventKinds[type].data));
