import type { Artefact } from "../artefact.ts";
import type { Contribution, Reason, SignalPoints } from "../model.ts";
import type { GateFinding } from "../plausibility-gate.ts";
import { signalNames } from "../signals.ts";
import type { SignalName, Signals } from "../signals.ts";
import { trustThresholds } from "../trust-level.ts";
import type { TrustLevel } from "../trust-level.ts";
import { writeCount, writeDuration, writeFraction, writeInteger, writePercent, writePoints, writeQuotient, writeRate } from "./write-amounts.ts";

/** A signal, seen or missing, is mentioned if it moves the score by at least this much. */
const pointsMin = 1;
const reasonsMax = 3;
/** Below this confidence the reasons say what it is that the level depends on. */
const confidenceRemarkBelow = 0.8;
/** With signals missing, a threshold is mentioned only if the score is this close to it. */
const nearPoints = 3;

type Explained = {
  serviceScore: number;
  trustLevel: TrustLevel;
  confidence: number;
  contributions: readonly Contribution[];
  bySignal: readonly SignalPoints[];
};

type Options = {
  people: Artefact["people"];
  /** The score as shown of any session. */
  scoreOf: (signals: Signals) => number;
};

/** Reasons are built from the points by signal: a single term of a pair never appears on its own. */
export function compileReasons({ people, scoreOf }: Options) {
  const signalReason = (signals: Signals, contributions: readonly Contribution[], { signal, points }: SignalPoints): Reason => {
    const name = signal as SignalName;
    const circumstances = describeSignal(signals, name, strongestPart(contributions, name, points));
    return {
      code: `${name}_${points > 0 ? "raises" : "lowers"}_score`,
      message: `${capitalised(compare(people[name], { ...circumstances, name, value: Number(signals[name]), points }))}: ${writePoints(points)}`,
    };
  };

  /** The signal that was not sent and moves the score most, over what people's sessions hold. */
  const missingReason = (signals: Signals): Reason | undefined => {
    const swings = signalNames
      .filter((name) => !isSeen(signals, name))
      .map((name) => swingOf(name, triedValues(people, name), (value) => scoreOf({ ...signals, [name]: value })))
      .filter(({ least, most }) => most.score - least.score >= pointsMin)
      .toSorted((left, right) => right.most.score - right.least.score - (left.most.score - left.least.score));
    const [widest] = swings;
    return widest && { code: "missing_signals", message: describeSwing(widest, swings.length > 1) };
  };

  return (signals: Signals, explained: Explained, findings: readonly GateFinding[]): Reason[] => {
    const { bySignal, contributions, confidence, serviceScore } = explained;
    const gatePoints = bySignal.find(({ signal }) => signal === "plausibility")?.points ?? 0;
    // The tightest check alone decides how far the gate closes, so it gets the points.
    const reasons = findings.map((finding, index) => gateReason(signals, finding, index === 0 ? gatePoints : 0));
    const moving = bySignal
      .filter(({ signal, points }) => isSeen(signals, signal as SignalName) && Math.abs(points) >= pointsMin)
      .toSorted((left, right) => Math.abs(right.points) - Math.abs(left.points));
    reasons.push(...moving.slice(0, reasonsMax).map((line) => signalReason(signals, contributions, line)));
    if (confidence >= confidenceRemarkBelow) return reasons;
    const missing = missingReason(signals);
    if (missing !== undefined) reasons.push(missing);
    const threshold = nearestThreshold(serviceScore);
    if (missing === undefined || Math.abs(serviceScore - threshold.score) <= nearPoints) reasons.push(nearReason(serviceScore, threshold));
    return reasons;
  };
}

function isSeen(signals: Signals, name: SignalName): boolean {
  const value = signals[name];
  return value !== undefined && !Number.isNaN(value);
}

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** The contribution, alone or in a pair, that moves the score most in the signal's direction. */
function strongestPart(contributions: readonly Contribution[], name: SignalName, points: number): SignalName | undefined {
  let strongest: { weight: number; partner: SignalName | undefined } = { weight: 0, partner: undefined };
  for (const { signal, points: moved } of contributions) {
    const names = signal.split("×");
    if (!names.includes(name)) continue;
    const weight = (moved / names.length) * Math.sign(points);
    const partner = names.find((other) => other !== name) as SignalName | undefined;
    if (weight > strongest.weight) strongest = { weight, partner };
  }
  return strongest.partner;
}

/** A signal in words: by itself, and with the signal that it is seen together with. */
type Described = { alone: string; together: string; partner: SignalName | undefined };

function describeSignal(signals: Signals, name: SignalName, partner: SignalName | undefined): Described {
  const alone = writeSignal(name, signals[name] ?? 0);
  return { alone, together: partner === undefined ? alone : `${alone} ${writePartner(name, partner, signals[partner] ?? 0)}`, partner };
}

function writeSignal(name: SignalName, value: number | boolean): string {
  switch (name) {
    case "user_engagement":
      return `an engagement of ${writeFraction(Number(value))}`;
    case "session_duration":
      return writeDuration(Number(value));
    case "scroll_depth":
      return value === 0 ? "no scrolling" : `scrolling through ${writePercent(Number(value))} of the page`;
    case "interaction_count":
      return writeCount(Number(value), "interaction");
    case "page_views":
      return writeCount(Number(value), "page");
    case "return_visitor":
      return value === true ? "a returning visitor" : "a new visitor";
  }
}

function writePartner(name: SignalName, partner: SignalName, value: number | boolean): string {
  const text = writeSignal(partner, value);
  if (partner === "session_duration") return `${name === "user_engagement" ? "over" : "in"} ${text}`;
  if (partner === "user_engagement") return `at ${text}`;
  if (partner === "return_visitor") return `by ${text}`;
  if (value === 0) return `with ${text}`;
  return `${partner === "page_views" && name !== "session_duration" ? "on" : "with"} ${text}`;
}

const comparatives: Partial<Record<SignalName, { more: string; less: string }>> = {
  user_engagement: { more: "higher than in", less: "lower than in" },
  session_duration: { more: "longer than", less: "shorter than" },
  interaction_count: { more: "more than in", less: "fewer than in" },
  page_views: { more: "more than in", less: "fewer than in" },
};

/** From how many of ten sessions of people on a value is worth a comparison: as unusually high, and as low. */
const rankMin = { more: 8, less: 6 };

/** How a value stands among people's sessions, as far as their deciles tell; otherwise what its points say of it. */
function compare(deciles: readonly number[] | undefined, { name, value, points, alone, together, partner }: Described & { name: SignalName; value: number; points: number }): string {
  const words = comparatives[name];
  const common = `${together} is ${points > 0 ? "more common" : "rarer"} among engaged visitors than among others`;
  if (words === undefined || deciles === undefined) return common;
  const { above, below } = rankOf(deciles, value);
  // A comparison is about the signal alone, so it explains points that are mainly the signal's own.
  const isOwn = partner === undefined;
  if (isOwn && above >= rankMin.more) return `${alone}, ${words.more} ${above} of 10 people's sessions`;
  if (isOwn && points < 0 && below >= rankMin.less) return `${alone}, ${words.less} ${below} of 10 people's sessions`;
  return points > 0 && above <= rankMin.more && below <= rankMin.more ? `${together} is usual for engaged visitors` : common;
}

/** Of ten sessions of people at least how many hold less than the value, and at least how many hold more. */
function rankOf(deciles: readonly number[], value: number): { above: number; below: number } {
  const inner = deciles.slice(1, -1);
  return { above: inner.filter((decile) => decile < value).length, below: inner.filter((decile) => decile > value).length };
}

function gateReason(signals: Signals, { code, limit }: GateFinding, points: number): Reason {
  const suffix = Math.abs(points) >= 0.05 ? `: ${writePoints(points)}` : ".";
  return { code, message: `${capitalised(describeFinding(signals, code, limit))}${suffix}` };
}

/** What happened, and from where on it is rare among people. */
function describeFinding(signals: Signals, code: GateFinding["code"], limit: number): string {
  const { session_duration: seconds = 0, interaction_count = 0, page_views = 0 } = signals;
  const most = writeInteger(Math.floor(limit));
  const interactions = writeCount(interaction_count, "interaction");
  const pages = writeCount(page_views, "page");
  const inTime = (counted: string, amount: number) => {
    const rate = writeRate(amount, seconds);
    return `${counted} in ${writeDuration(seconds)}${rate === undefined ? "" : ` is ${rate}`}`;
  };
  switch (code) {
    case "too_many_interactions_per_second":
      return `${inTime(interactions, interaction_count)}, and people rarely make more than ${most} in that time`;
    case "too_many_pages_per_second":
      return `${inTime(pages, page_views)}, and people rarely open more than ${most} in that time`;
    case "too_many_interactions_per_page":
      return page_views === 0
        ? `${interactions} with no page, and people rarely make more than ${most} then`
        : `${interactions} on ${pages} is ${writeQuotient(interaction_count / page_views)} per page, and people rarely make more than ${most} on that many`;
    case "too_many_interactions":
      return `${interactions}, and people rarely make more than ${most} in a session`;
    case "too_many_pages":
      return `${pages}, and people rarely open more than ${most} in a session`;
    case "session_too_long":
      return `${writeDuration(seconds)}, and people rarely stay longer than ${writeDuration(limit)}`;
  }
}

type Swing = { name: SignalName; least: { value: number | boolean; score: number }; most: { value: number | boolean; score: number } };

/** What the middle eight tenths of people's sessions hold. Scroll depth, which no source has, is tried at both ends. */
function triedValues(people: Artefact["people"], name: SignalName): (number | boolean)[] {
  if (name === "return_visitor") return [false, true];
  return people[name]?.slice(1, -1) ?? [0, 1];
}

function swingOf(name: SignalName, values: readonly (number | boolean)[], scoreOf: (value: number | boolean) => number): Swing {
  const tried = values.map((value) => ({ value, score: scoreOf(value) })).toSorted((left, right) => left.score - right.score);
  const [least = { value: 0, score: 0 }] = tried;
  return { name, least, most: tried.at(-1) ?? least };
}

const missingTexts: Record<SignalName, string> = {
  user_engagement: "The engagement was not sent",
  session_duration: "The length of the session was not sent",
  scroll_depth: "The scroll depth was not sent",
  interaction_count: "The number of interactions was not sent",
  page_views: "The number of pages was not sent",
  return_visitor: "Whether the visitor returned was not sent",
};

function describeSwing({ name, least, most }: Swing, isOneOfSeveral: boolean): string {
  const text = missingTexts[name] + (isOneOfSeveral ? ", and of what is missing it could move the score most" : "");
  return `${text}: with ${writeSignal(name, least.value)} the score would be ${least.score.toFixed(1)}, with ${writeSignal(name, most.value)} ${most.score.toFixed(1)}.`;
}

function nearestThreshold(score: number): { level: TrustLevel; score: number } {
  const middle = (trustThresholds.high + trustThresholds.medium) / 2;
  return score >= middle ? { level: "high", score: trustThresholds.high } : { level: "medium", score: trustThresholds.medium };
}

function nearReason(score: number, threshold: { level: TrustLevel; score: number }): Reason {
  const distance = Math.abs(score - threshold.score).toFixed(1);
  const points = distance === "1.0" ? "1.0 point" : `${distance} points`;
  const where = score === threshold.score ? "is exactly where" : `is ${points} ${score > threshold.score ? "above" : "below"} ${threshold.score}, where`;
  return {
    code: "near_threshold",
    message: `The score of ${score.toFixed(1)} ${where} level ${threshold.level} begins: a model trained on other sessions could say another level.`,
  };
}
