import { createHash } from "node:crypto";
import { Faults, InputFault } from "./input-fault.ts";
import { prepareLibrary } from "./prepare-library.ts";
import { prepareShoppers } from "./prepare-shoppers.ts";
import type { PreparedSession, PreparedSource } from "./prepared-session.ts";
import type { InputFile } from "./read-table.ts";

/** The sessions that the published originals have, by label. */
const expectedSessions = {
  library: { file: "simple_features.csv", what: "robots and people", counts: [13_494, 53_858] },
  shoppers: { file: "online_shoppers_intention.csv", what: "sessions without and with a purchase", counts: [10_422, 1_908] },
} as const;

export type SourceKey = keyof typeof expectedSessions;

export type SourceSummary = { file: string; sha256: string; sessions: [number, number]; notices: string[] };

export type Prepared = {
  /** The training file, as `read-sessions.ts` reads it. */
  csv: string;
  sources: Record<SourceKey, SourceSummary>;
};

/** `isPartial`: the files may have other numbers of sessions than the originals, as an excerpt has. */
export function prepareData(files: Record<SourceKey, InputFile>, { isPartial }: { isPartial: boolean }): Prepared {
  const library = prepareLibrary(files.library);
  const shoppers = prepareShoppers(files.shoppers);
  const sources = { library: summaryOf(files.library, library), shoppers: summaryOf(files.shoppers, shoppers) };
  if (!isPartial) assertComplete(sources);
  return { csv: printSessions([...library.sessions, ...shoppers.sessions]), sources };
}

function summaryOf({ name, bytes }: InputFile, { sessions, notices }: PreparedSource): SourceSummary {
  const countOf = (label: 0 | 1) => sessions.filter((session) => session.label === label).length;
  return { file: name, sha256: createHash("sha256").update(bytes).digest("hex"), sessions: [countOf(0), countOf(1)], notices };
}

function assertComplete(sources: Prepared["sources"]): void {
  const faults = new Faults();
  for (const key of Object.keys(expectedSessions) as SourceKey[]) {
    const { file, what, counts } = expectedSessions[key];
    const given = sources[key];
    if (given.sessions[0] === counts[0] && given.sessions[1] === counts[1]) continue;
    faults.add(
      `${given.file}: ${given.sessions.join(" + ")} sessions (${what}); the original ${file} has ${counts.join(" + ")}. ` +
        "Pass --partial to prepare it anyway.",
    );
  }
  faults.throwIfAny();
}

const header =
  "row_id,user_engagement,session_duration,scroll_depth,interaction_count,page_views,return_visitor,label,task,source";

/** Sorted by row id, so that the order of an original's lines does not matter. */
function printSessions(sessions: readonly PreparedSession[]): string {
  const sorted = sessions.toSorted((one, other) => (one.rowId < other.rowId ? -1 : 1));
  for (const [index, { rowId }] of sorted.entries()) {
    if (rowId === sorted[index + 1]?.rowId) throw new InputFault(`two sessions have the row id ${rowId}`);
  }
  return `${[header, ...sorted.map(printSession)].join("\n")}\n`;
}

function printSession(session: PreparedSession): string {
  const { rowId, userEngagement, sessionDurationSeconds, interactionCount, pageViews, isReturning, label, task, source } = session;
  const returned = isReturning === undefined ? "" : Number(isReturning);
  const engagement = userEngagement === undefined ? "" : withPoint(userEngagement);
  const scrollDepth = "";
  const signals = [engagement, withPoint(sessionDurationSeconds), scrollDepth, interactionCount ?? "", pageViews, returned];
  return [rowId, ...signals, label, task, source].join(",");
}

const withPoint = (value: number) => (Number.isInteger(value) ? value.toFixed(1) : String(value));
