import { msPerDay } from "../../formats/time.ts";
import { checkTitles } from "../evidence/day-result.ts";
import type { CheckName } from "../evidence/e-process.ts";

/** An open finding that nobody decided for longer than this is overdue. */
export const overdueMs = 14 * msPerDay;
/** A developer accepts one finding in this time; the next one needs an operator. */
export const acceptEveryMs = 365 * msPerDay;
export const exampleSessionsMax = 20;
export const findingDaysMax = 62;

export const operatorCode = "operator";

const titles: Readonly<Record<string, string>> = {
  ...checkTitles,
  // Codes of earlier versions.
  click_rate_too_high: checkTitles.click_rate,
  clicks_too_regular: checkTitles.regular_clicks,
  [operatorCode]: "Opened by an operator",
};

/** A check's finding has the check's name as its code. */
const callChecks: ReadonlySet<string> = new Set(["exact_duplicates", "near_duplicates", "shared_sessions"] satisfies CheckName[]);

export const titleOf = (code: string): string => titles[code] ?? code;
export const isAboutCalls = (code: string): boolean => callChecks.has(code);
/** Of shared sessions only a sample is known: accepting those would cost less than what was shared. */
export const isAcceptable = (code: string): boolean => isAboutCalls(code) && code !== "shared_sessions";
/** An operator's own finding may be about anything, calls included. */
export const isAboutClicks = (code: string): boolean => !isAboutCalls(code) && code !== operatorCode;
