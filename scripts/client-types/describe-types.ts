// The contract's types with a name for every object, for languages in which an object type needs one.
import { AdReply, AdRequest, noFillReasons } from "@assay/contract/ads.ts";
import { AnalysisReply, PredictReply, ScoreReply, SessionData, testScenarios } from "@assay/contract/scoring.ts";
import { OutcomeReply, SessionReply, outcomes } from "@assay/contract/sessions.ts";
import { TrafficReply, TrafficRequest } from "@assay/contract/traffic.ts";
import { StatementReply, UsageQuery, UsageReply } from "@assay/contract/usage.ts";

/** The subset of JSON Schema that the contract uses. */
type Schema = {
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

export type TypeUse =
  | { kind: "number" | "integer" | "string" | "boolean" | "null" }
  | { kind: "literals"; values: readonly string[] }
  | { kind: "named"; name: string }
  | { kind: "list" | "pair"; item: TypeUse }
  | { kind: "union"; members: readonly TypeUse[] };

export type Field = { name: string; comment: string; type: TypeUse; isRequired: boolean };

export type DescribedType =
  | { kind: "object"; name: string; comment: string; role: "answer" | "plain" | "part"; fields: Field[] }
  | { kind: "codes"; name: string; comment: string; values: readonly string[] };

type Declaration = { name: string; comment: string; role: "answer" | "plain"; schema: Schema };

const declarations: readonly Declaration[] = [
  { name: "SessionData", role: "plain", schema: SessionData, comment: "The six signals of one visitor session: behaviour only, never personal data. Leave out optional signals that were not measured." },
  { name: "Prediction", role: "answer", schema: PredictReply, comment: "The answer of predict: the verdict on a session." },
  {
    name: "Score",
    role: "answer",
    // The client fills in the newer name of the confidence.
    schema: { ...ScoreReply, properties: { ...ScoreReply.properties, confidence: PredictReply.properties.confidence }, required: [...ScoreReply.required, "confidence"] },
    comment: "The answer of score: the verdict in its shorter shape.",
  },
  { name: "Analysis", role: "answer", schema: AnalysisReply, comment: "The answer of analyze: the verdict, and what each signal contributed to it." },
  { name: "TrafficWindow", role: "plain", schema: TrafficRequest, comment: "A time window; the last seven days by default." },
  { name: "Traffic", role: "answer", schema: TrafficReply, comment: "A summary of your own sessions in a time window." },
  { name: "Session", role: "answer", schema: SessionReply, comment: "A scored session as it is stored." },
  { name: "RecordedOutcome", role: "answer", schema: OutcomeReply, comment: "Confirms that an outcome is recorded." },
  { name: "UsageWindow", role: "plain", schema: UsageQuery, comment: "A time window; the last 30 days by default." },
  { name: "Usage", role: "answer", schema: UsageReply, comment: "Calls and revenue over time." },
  { name: "Statement", role: "answer", schema: StatementReply, comment: "A month's statement." },
  { name: "AdRequest", role: "plain", schema: AdRequest, comment: "What ad is wanted; every field is optional." },
  { name: "Ad", role: "plain", schema: AdReply, comment: "An ad to show, with the URLs that record its impression and its click." },
];

const codes: readonly Extract<DescribedType, { kind: "codes" }>[] = [
  { kind: "codes", name: "Outcome", comment: "How a scored session ended. converted and genuine are good outcomes; refunded, fraud and bot are bad ones.", values: outcomes },
  { kind: "codes", name: "NoFillReason", comment: "Why a request got no ad. More reasons may be added.", values: noFillReasons },
  { kind: "codes", name: "TestScenario", comment: "An answer that a test key can force.", values: testScenarios },
];

/** Better names than those made of the path. */
const betterNames: Readonly<Record<string, string>> = {
  TrafficSignalsUserEngagement: "SignalStatistics",
  TrafficScoreHistogram: "ScoreBand",
  UsageSeries: "UsagePeriod",
  StatementAds: "StatementClicks",
  StatementBalance: "Balance",
  BalanceConfirmed: "ConfirmedMoney",
  ConfirmedMoneyWaiting: "WaitingMoney",
  StatementHeld: "HeldMoney",
  StatementCallReversals: "CallReversal",
  StatementCorrections: "Correction",
  StatementLines: "StatementLine",
  StatementMovements: "StatementMovement",
  AnalysisBySignal: "SignalPoints",
  AnalysisContributions: "Contribution",
  AnalysisReasons: "Reason",
  AnalysisThresholds: "Thresholds",
  AnalysisWouldRaise: "Raise",
  SessionSignals: "PartialSessionData",
  TrafficFindings: "TrafficFinding",
  UsageEndpoints: "UsageEndpoint",
  AdRequestUserContext: "UserContext",
  AdCreative: "Creative",
};

/** Lists whose codes may become more: callers must expect one that is newer than their client. */
const growingLists: ReadonlySet<string> = new Set(["attestation_issues"]);

export const pascalCase = (name: string): string => name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Objects that look alike are one type. Their own description belongs to the field that holds them. */
const shapeOf = ({ properties, required }: Schema): string => JSON.stringify([properties, required]);

export function describeClientTypes(): DescribedType[] {
  const described: DescribedType[] = [...codes];
  const nameOfShape = new Map<string, string>();

  function describeObject(name: string, comment: string, role: "answer" | "plain" | "part", schema: Schema): void {
    const required = new Set(schema.required);
    // Parts are described first: some languages must know a type before its use.
    const fields = Object.entries(schema.properties ?? {}).map(([field, each]): Field => {
      const isGrowing = growingLists.has(field);
      const type: TypeUse = isGrowing ? { kind: "list", item: { kind: "string" } } : describeUse(each, name + pascalCase(field));
      const known = isGrowing ? ` Known: ${(each.items?.enum ?? []).join(", ")}.` : "";
      return { name: field, comment: (each.description ?? "") + known, type, isRequired: required.has(field) };
    });
    described.push({ kind: "object", name, comment, role, fields });
  }

  function describePart(schema: Schema, path: string): TypeUse {
    const shape = shapeOf(schema);
    const known = nameOfShape.get(shape);
    if (known !== undefined) return { kind: "named", name: known };
    const name = betterNames[path] ?? path;
    nameOfShape.set(shape, name);
    describeObject(name, schema.description ?? `A part of ${path.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase()}.`, "part", schema);
    return { kind: "named", name };
  }

  function describeUse(schema: Schema, path: string): TypeUse {
    if (schema.enum) return { kind: "literals", values: schema.enum as string[] };
    if (schema.anyOf) return { kind: "union", members: schema.anyOf.map((each) => describeUse(each, path)) };
    switch (schema.type) {
      case "object":
        return describePart(schema, path);
      case "array": {
        const item = describeUse(schema.items ?? {}, path);
        return { kind: schema.minItems === 2 && schema.maxItems === 2 ? "pair" : "list", item };
      }
      case "integer":
      case "number":
      case "string":
      case "boolean":
      case "null":
        return { kind: schema.type };
      case undefined:
      default:
        throw new Error(`cannot describe this schema of the contract as a type: ${JSON.stringify(schema)}`);
    }
  }

  for (const { name, comment, role, schema } of declarations) describeObject(name, comment, role, schema);
  return described;
}

/** Lines of at most 100 characters, broken at spaces. */
export function wrapText(text: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < 100) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
