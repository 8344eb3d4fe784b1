// The contract's types with a name for every object, for languages in which an object type needs one.
import { UsageQuery } from "@assay/contract/usage.ts";
import { answers, codes, requests, type Schema, verdicts } from "../../clients/list-answer-types.ts";

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

/** An ad is a part of an answer. */
const isWhole = (name: string): boolean => name !== "Ad";
const declarations = [
  ...requests.map((each) => ({ ...each, role: "plain" as const })),
  { name: "UsageWindow", role: "plain" as const, schema: UsageQuery as Schema, comment: "Time window of a report on usage; the last 30 days by default." },
  ...[...verdicts, ...answers].map((each) => ({ ...each, role: isWhole(each.name) ? ("answer" as const) : ("plain" as const) })),
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
  AnalysisContributions: "Contribution",
  AnalysisReasons: "Reason",
  AnalysisThresholds: "Thresholds",
  SessionSignals: "PartialSessionData",
  TrafficFindings: "TrafficFinding",
  UsageEndpoints: "UsageEndpoint",
  AdRequestUserContext: "UserContext",
  AdCreative: "Creative",
};

/** Lists whose codes may become more: callers must expect one that is newer than their client. */
const growingLists: ReadonlySet<string> = new Set(["attestation_issues"]);

export const pascalCase = (name: string): string => name.replace(/(?:^|[_.])(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Objects that look alike are one type. Their own description belongs to the field that holds them. */
const shapeOf = ({ properties, required }: Schema): string => JSON.stringify([properties, required]);

export function describeClientTypes(): DescribedType[] {
  const described: DescribedType[] = codes.map(({ name, comment, schema }) => ({ kind: "codes", name, comment, values: schema.enum as string[] }));
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
