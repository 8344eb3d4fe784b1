import type { preValidationHookHandler } from "fastify";
import { Failure } from "../failure/failure.ts";

type PersonalDataFinding = {
  /** The path of the field, such as `items[3].phone`; with `repeatable: false` that of its parent ("" = the body). */
  path: string;
  /** False if the name may itself contain a person's address or number and must not be shown. */
  repeatable: boolean;
};

/**
 * - harmless: does not indicate personal data
 * - personal: refused unless the value is a boolean or null
 * - measured: like personal, but a number is also accepted, as a count or a duration
 * - exposed: the name itself is personal data, whatever the value
 */
type Verdict = "harmless" | "personal" | "measured" | "exposed";

type Place = { container: object; parent: Place | undefined; key: string | number };

const pathCharactersMax = 200;
const pathNamesMax = 50;
const nameCharactersShownMax = 64;
const longNumberDigitsMin = 7;
const cachedNamesMax = 4_096;
const cachedNameCharactersMax = 64;

const words = (list: string): string[] => list.split(/\s+/).filter(Boolean);

/** Indicate personal data anywhere in a name. */
const refusedTokens = words(`
  email phone telephone msisdn imei imsi meid iccid idfa idfv gaid aaid oaid udid ssn iban cvv ssid bssid
  latitude longitude geohash gps geopoint geoposition latlng latlon latlong ipv4 ipv6
  username nickname surname forename gamertag cardholder
  dob birthdate birthday birthplace dateofbirth yearofbirth placeofbirth fingerprint
  emailaddress emailid useremail customeremail contactemail
  phonenumber phoneno mobilephone cellphone homephone workphone userphone contactphone socialsecurity`);

/** Indicate personal data only as the whole name: `address_bar_visible` and `p99_lat` (a latency) do not. */
const refusedNames = words(`
  name ip lat lon lng coords coord coordinates tel mobile address addr mail uid user mac
  fname lname nick street birth passport fax`);

const persons = "user player customer account visitor member person patient employee subscriber guest buyer shopper";
const devices = "device install installation advertising android machine hardware browser cookie";

/** Indicate personal data when one of the first directly precedes one of the second. */
const refusedPairs: readonly (readonly [first: string, second: string])[] = [
  ["first last full middle maiden given real legal nick display", "name"],
  ["user player customer visitor member person patient employee subscriber guest contact holder login", "name"],
  [`${persons} ${devices} login anonymous distinct`, "id uuid guid uid udid hash token identifier"],
  ["push fcm apns", "token"],
  ["national tax passport", "id"],
  ["device hardware", "serial"],
  ["account customer contact mobile cell tel fax whatsapp passport card house street security insurance", "number no"],
  ["client remote user visitor customer player caller source src real public connecting device login", "ip"],
  ["ip mac street home work billing shipping delivery postal mail mailing residential private", "address addr"],
  ["client remote user customer contact", "address addr"],
  ["wifi bluetooth device router", "mac"],
  ["ip", "hash"],
  ["forwarded", "for"],
  ["address", "line"],
  ["street", "name"],
  ["gps geo precise exact user home device visitor customer player live", "location"],
  ["geo user home device visitor customer player location", "lat lon lng long coords coord coordinates"],
  ["lat", "lon lng long"],
  ["geo", "hash point position"],
  ["birth", "date day year month place"],
  ["of", "birth"],
  ["finger", "print"],
  ["social", "security"],
  ["credit debit", "card"],
  ["bank", "account"],
  ["driver drivers driving", "license licence"],
  ["license licence number", "plate"],
  ["user player twitter instagram social", "handle"],
];

/** Pairs that name a person only as the whole name: `font_family_name` and `event_name_last` name a thing. */
const refusedWholePairs = new Set(["family name", "name first", "name last", "name full"]);

/** A number with such a last token is a measurement and identifies nobody. */
const measuringTokens = new Set(words("count total rate ratio ms seconds"));

/** Words that the rule for camelCase and separators splits although they are one word. */
const splitWords = new Map([
  ["e", { rest: /^mails?\p{Nd}*$/u, whole: "email" }],
  ["i", { rest: /^phones?\p{Nd}*$/u, whole: "iphone" }],
  ["ip", { rest: /^v[46]$/, whole: "ipv4" }],
]);

const personalTokens = new Set(refusedTokens);
const personalNames = new Set(refusedNames);
const personalSeconds = new Map<string, Set<string>>();
for (const [firsts, seconds] of refusedPairs) {
  for (const first of words(firsts)) {
    const known = personalSeconds.get(first) ?? new Set<string>();
    personalSeconds.set(first, known);
    for (const second of words(seconds)) {
      known.add(second);
      personalTokens.add(first + second);
    }
  }
}
const vocabulary = new Set([...personalTokens, ...personalNames, ...refusedPairs.flat().flatMap(words)]);

// Splits `user|Id` and `IP|Address` (but not `IDs` and `IPv4`), and at everything that is neither letter nor digit.
const tokenBoundary =
  /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})(?!\p{Lu}s(?!\p{Ll}))(?!Pv[46])|[^\p{L}\p{N}]+/u;
const onlyNumberCharacters = /^[\p{Nd}\p{Z}\p{P}+]+$/u;
const calendarDay = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;
// Control characters, bidirectional marks, line separators, lone surrogates.
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

const verdicts = new Map<string, Verdict>();

/** Refuses a body with a field for personal data, before all other validation. */
export function guardPersonalData(documented: ReadonlySet<string>): preValidationHookHandler {
  return (request, _reply, done) => {
    const finding = findPersonalData(request.body, documented);
    if (!finding) return done();
    const message = finding.repeatable
      ? `Remove the field ${finding.path}: personal data must not be sent.`
      : `Remove a field whose name is personal data itself${finding.path === "" ? "" : ` (in ${finding.path})`}: personal data must not be sent.`;
    done(new Failure("personal_data", message));
  };
}

/**
 * Finds the first field, breadth first, whose name indicates personal data. `documented` names are accepted at every
 * depth, but their contents are searched too.
 */
export function findPersonalData(body: unknown, documented: ReadonlySet<string>): PersonalDataFinding | undefined {
  if (typeof body !== "object" || body === null) return undefined;
  // A queue instead of recursion: a body within the size limit may be nested deeper than the call stack.
  const places: Place[] = [{ container: body, parent: undefined, key: "" }];
  for (const place of places) {
    const { container } = place;
    if (Array.isArray(container)) {
      for (let index = 0; index < container.length; index += 1) {
        const value: unknown = container[index];
        if (typeof value === "object" && value !== null) places.push({ container: value, parent: place, key: index });
      }
      continue;
    }
    const fields = container as Record<string, unknown>;
    // `for in` allocates nothing, and parsed JSON has no inherited fields.
    for (const name in fields) {
      const value = fields[name];
      if (!documented.has(name) && isRefused(judgeName(name), value)) return describe(place, name);
      if (typeof value === "object" && value !== null) places.push({ container: value, parent: place, key: name });
    }
  }
  return undefined;
}

function isRefused(verdict: Verdict, value: unknown): boolean {
  if (verdict === "harmless") return false;
  if (verdict === "exposed") return true;
  if (value === null || typeof value === "boolean") return false;
  return verdict === "personal" || typeof value !== "number";
}

/** Caches verdicts: an integration sends the same few names with every call. */
function judgeName(name: string): Verdict {
  const known = verdicts.get(name);
  if (known !== undefined) return known;
  const verdict = judgeNewName(name);
  // A name that is personal data is not kept, not even in memory.
  if (verdict !== "exposed" && name.length <= cachedNameCharactersMax) {
    if (verdicts.size >= cachedNamesMax) verdicts.clear();
    verdicts.set(name, verdict);
  }
  return verdict;
}

function judgeNewName(name: string): Verdict {
  const normalised = name.normalize("NFKC");
  if (normalised.includes("@") || isLongNumber(normalised)) return "exposed";
  const tokens = readTokens(normalised);
  if (!indicatesPersonalData(tokens)) return "harmless";
  return measuringTokens.has(tokens.at(-1) ?? "") ? "measured" : "personal";
}

function indicatesPersonalData(tokens: readonly string[]): boolean {
  if (tokens.length === 1 && personalNames.has(tokens[0] ?? "")) return true;
  if (tokens.length === 2 && refusedWholePairs.has(tokens.join(" "))) return true;
  return tokens.some((token, index) => {
    const next = tokens[index + 1];
    return personalTokens.has(token) || (next !== undefined && personalSeconds.get(token)?.has(next));
  });
}

/** `contactE-Mails2` → contact, email: lower case, without trailing digits, known words in the singular. */
function readTokens(normalised: string): string[] {
  const parts = normalised
    .split(tokenBoundary)
    .filter((part) => part !== "")
    .map((part) => part.toLowerCase());
  const tokens: string[] = [];
  for (let index = 0; index < parts.length; index += 1) {
    const part = parts[index] ?? "";
    const split = splitWords.get(part);
    const isSplit = split !== undefined && split.rest.test(parts[index + 1] ?? "");
    if (isSplit) index += 1;
    const token = isSplit ? split.whole : readToken(part);
    if (token !== "") tokens.push(token);
  }
  return tokens;
}

function readToken(part: string): string {
  if (vocabulary.has(part)) return part;
  const token = part.replace(/\p{Nd}+$/u, "");
  if (vocabulary.has(token)) return token;
  const endings = token.endsWith("es") ? ["s", "es"] : token.endsWith("s") ? ["s"] : [];
  const singulars = endings.map((ending) => token.slice(0, -ending.length));
  return singulars.find((singular) => vocabulary.has(singular)) ?? token;
}

/** A telephone, card or account number, however it is grouped, but not a calendar day. */
function isLongNumber(normalised: string): boolean {
  return hasManyDigits(normalised) && onlyNumberCharacters.test(normalised) && !calendarDay.test(normalised);
}

function hasManyDigits(text: string): boolean {
  return (text.match(/\p{Nd}/gu)?.length ?? 0) >= longNumberDigitsMin;
}

/** False if the name may contain an address or a number, as in `phone_00491701234567`. */
function isRepeatable(name: string): boolean {
  const normalised = name.normalize("NFKC");
  return !normalised.includes("@") && (!hasManyDigits(normalised) || calendarDay.test(normalised));
}

function describe(place: Place, name: string): PersonalDataFinding {
  const repeatable = isRepeatable(name);
  const steps = repeatable ? [stepOf(name)] : [];
  let at: Place | undefined = place;
  for (; at?.parent && steps.length < pathNamesMax; at = at.parent) steps.push(stepOf(at.key));
  if (at?.parent) steps.push(".…");
  const path = steps.toReversed().join("").replace(/^\./, "");
  if (path.length <= pathCharactersMax) return { path, repeatable };
  // The end is kept because it names the field. A surrogate pair that the slice cuts is dropped.
  return { path: `…${path.slice(1 - pathCharactersMax).replace(unprintable, "")}`, repeatable };
}

function stepOf(key: string | number): string {
  if (typeof key === "number") return `[${key}]`;
  if (!isRepeatable(key)) return ".*";
  const shown = key.slice(0, nameCharactersShownMax).replace(unprintable, "");
  return key.length > nameCharactersShownMax ? `.${shown}…` : `.${shown}`;
}
