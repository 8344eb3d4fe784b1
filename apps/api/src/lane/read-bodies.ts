/**
 * Readers of ordinary bodies. They know less than the schemas of the routes on purpose: whatever is not plainly valid is
 * undefined here, and the route decides what to say about it.
 */
import { type AdRequest, adFormats, adPlacements, categoryPattern } from "@assay/contract/ads.ts";
import { type BeatRequest, tokenLengthMax } from "@assay/contract/attestation.ts";
import { countMax, durationSecondsMax, type ScoringRequest } from "@assay/contract/scoring.ts";

type Fields = Record<string, unknown>;

const isObject = (value: unknown): value is Fields => typeof value === "object" && value !== null && !Array.isArray(value);
/** Also false for the infinite numbers that JSON can express as 1e400. */
const isWithin = (value: unknown, max: number): boolean => typeof value === "number" && value >= 0 && value <= max;
const isCount = (value: unknown): boolean => Number.isInteger(value) && isWithin(value, countMax);

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Every signal that there is, as far as it is plain. `for in` also meets `__proto__`, which JSON makes a field of its own. */
function isSession(session: Fields): boolean {
  for (const name in session) {
    const value = session[name];
    switch (name) {
      case "user_engagement":
      case "scroll_depth":
        if (!isWithin(value, 1)) return false;
        break;
      case "session_duration":
        if (!isWithin(value, durationSecondsMax)) return false;
        break;
      case "interaction_count":
      case "page_views":
        if (!isCount(value)) return false;
        break;
      case "return_visitor":
        if (typeof value !== "boolean") return false;
        break;
      default:
        return false;
    }
  }
  return true;
}

const isToken = (value: unknown): boolean => typeof value === "string" && value.length >= 1 && value.length <= tokenLengthMax;

export function readSession(text: string): ScoringRequest | undefined {
  const body = parse(text);
  if (!isObject(body)) return undefined;
  for (const name in body) if (name !== "session_data" && name !== "session_token") return undefined;
  const { session_data: session, session_token: token } = body;
  if (!isObject(session) || !isSession(session)) return undefined;
  const isWhole = token === undefined ? session.user_engagement !== undefined && session.session_duration !== undefined : isToken(token);
  return isWhole ? (body as ScoringRequest) : undefined;
}

/** What a beat may report at most here; the route takes more. */
const plainDeltaMax = 1e9;

function isDelta(delta: Fields): boolean {
  for (const name in delta) {
    const value = delta[name];
    switch (name) {
      case "view_ms":
      case "active_ms":
      case "clicks":
      case "keys":
      case "pages":
        if (!isWithin(value, plainDeltaMax)) return false;
        break;
      case "scroll":
        if (value !== null && !isWithin(value, 1)) return false;
        break;
      default:
        return false;
    }
  }
  return true;
}

export function readBeat(text: string): BeatRequest | undefined {
  const body = parse(text);
  if (!isObject(body)) return undefined;
  for (const name in body) if (name !== "token" && name !== "d") return undefined;
  const { token, d: delta } = body;
  return isToken(token) && isObject(delta) && isDelta(delta) ? (body as BeatRequest) : undefined;
}

const formats: ReadonlySet<unknown> = new Set(adFormats);
const placements: ReadonlySet<unknown> = new Set(adPlacements);
const category = new RegExp(categoryPattern, "u");
/** Counted in UTF-16 units, of which a text has at least as many as characters. */
const sessionIdLengthMax = 100;

function isAdContext(context: Fields): boolean {
  for (const name in context) {
    const value = context[name];
    switch (name) {
      case "app_category":
        if (typeof value !== "string" || !category.test(value)) return false;
        break;
      case "service_score":
        if (!isWithin(value, 100)) return false;
        break;
      case "session_id":
        if (typeof value !== "string" || value.length > sessionIdLengthMax) return false;
        break;
      default:
        return false;
    }
  }
  return true;
}

export function readAdRequest(text: string): AdRequest | undefined {
  const body = parse(text);
  if (!isObject(body)) return undefined;
  for (const name in body) {
    const value = body[name];
    switch (name) {
      case "format":
        if (!formats.has(value)) return undefined;
        break;
      case "placement":
        if (!placements.has(value)) return undefined;
        break;
      case "user_context":
        if (!isObject(value) || !isAdContext(value)) return undefined;
        break;
      default:
        return undefined;
    }
  }
  return body;
}
