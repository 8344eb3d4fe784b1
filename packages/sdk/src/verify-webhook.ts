import { WebhookVerificationError } from "./webhook-error.ts";
import type { WebhookEvent } from "./webhook-events.ts";
import { decodeBase64, readExpectedAccount, readSecrets, type Verifier } from "./webhook-secrets.ts";

/** Headers of a request: those of `fetch`, or an object such as Node's, whatever the case of its names. */
export type WebhookHeaders = { get(name: string): string | null } | { readonly [name: string]: string | readonly string[] | undefined };

/** Options of `verifyWebhook`. */
export type VerifyWebhookOptions = {
  /**
   * Whose events are expected (`acct_…`, as the dashboard shows it): others are refused. Required with a public key
   * (`whpk_…`), which signs the events of all accounts.
   */
  account?: string | undefined;
  /** How far the time of the signature may be from now, into the past and into the future. Default: 300. */
  toleranceSeconds?: number | undefined;
  /** Bodies that are larger are refused. Default: 65,536. */
  payloadBytesMax?: number | undefined;
  /** Whether an event with this id has been handled: then it throws `duplicate`. Asked after the signature was verified. */
  seen?: ((id: string) => boolean | Promise<boolean>) | undefined;
  /** Replacement for `Date.now`, for tests. */
  now?: (() => number) | undefined;
};

const signaturesMax = 20;
const signatureCharactersMax = 4_096;
const idCharactersMax = 256;
/** Visible characters without the full stop, which separates the id from the time in what is signed. */
const idPattern = /^[!-\-/-~]+$/;
const secondsPattern = /^\d{1,12}$/;

const refuse = (code: ConstructorParameters<typeof WebhookVerificationError>[0], why: string) => new WebhookVerificationError(code, why);

/** All values of a header, as they were sent. */
function valuesOf(headers: WebhookHeaders, name: string): string[] {
  const { get } = headers as { get?: unknown };
  if (typeof get === "function") {
    const value = (headers as { get(name: string): string | null }).get(name);
    return value === null ? [] : [value];
  }
  return Object.entries(headers as Record<string, string | readonly string[] | undefined>).flatMap(([each, value]) => (each.toLowerCase() === name ? (value ?? []) : []));
}

function readHeader(headers: WebhookHeaders, name: string, charactersMax: number): string {
  const values = valuesOf(headers, name);
  if (values.length === 0 || values[0] === "") throw refuse("missing_header", `there is no header ${name}`);
  if (values.length > 1) throw refuse("bad_header", `the header ${name} is there more than once`);
  if (values[0]!.length > charactersMax) throw refuse("bad_header", `the header ${name} has more than ${charactersMax} characters`);
  return values[0]!;
}

function readId(headers: WebhookHeaders): string {
  const id = readHeader(headers, "webhook-id", idCharactersMax);
  if (!idPattern.test(id)) throw refuse("bad_header", "webhook-id contains a full stop, a space or a character outside of ASCII");
  return id;
}

function readTime(headers: WebhookHeaders, { nowMs, toleranceSeconds }: { nowMs: number; toleranceSeconds: number }): string {
  const seconds = readHeader(headers, "webhook-timestamp", signatureCharactersMax);
  if (!secondsPattern.test(seconds)) throw refuse("bad_timestamp", "webhook-timestamp is not a number of seconds");
  const aheadSeconds = Number(seconds) - Math.floor(nowMs / 1_000);
  // Not "<" and ">": a tolerance that is not a number lets nothing pass.
  if (!(aheadSeconds >= -toleranceSeconds)) throw refuse("too_old", `it was signed more than ${toleranceSeconds} seconds ago`);
  if (!(aheadSeconds <= toleranceSeconds)) throw refuse("too_new", `it was signed more than ${toleranceSeconds} seconds from now`);
  return seconds;
}

/** `v1,… v1a,…`: those of other versions are left out, and so is what cannot be a signature. */
function readSignatures(headers: WebhookHeaders): { version: string; bytes: Uint8Array<ArrayBuffer> }[] {
  const joined = valuesOf(headers, "webhook-signature").join(" ");
  const text = readHeader({ "webhook-signature": joined }, "webhook-signature", signatureCharactersMax);
  // Where a header was sent twice, some servers put a comma and a space between its values.
  return text.split(/,? +/).slice(0, signaturesMax).flatMap((each) => {
    const comma = each.indexOf(",");
    const bytes = comma === -1 ? undefined : decodeBase64(each.slice(comma + 1));
    return bytes === undefined ? [] : [{ version: each.slice(0, comma), bytes }];
  });
}

function readPayload(payload: string | Uint8Array, bytesMax: number): Uint8Array {
  if (typeof payload !== "string" && !ArrayBuffer.isView(payload)) throw refuse("malformed_body", "the payload must be the raw body: a string or a Uint8Array, not the parsed JSON");
  const tooLarge = refuse("too_large", `the body has more than ${bytesMax} bytes`);
  // A character has a byte at least.
  if (payload.length > bytesMax) throw tooLarge;
  const bytes = typeof payload === "string" ? new TextEncoder().encode(payload) : payload;
  if (bytes.length > bytesMax) throw tooLarge;
  return bytes;
}

function join(start: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const head = new TextEncoder().encode(start);
  const joined = new Uint8Array(head.length + body.length);
  joined.set(head);
  joined.set(body, head.length);
  return joined;
}

/** Every signature is tried with every secret of its kind. */
async function isSigned(content: Uint8Array<ArrayBuffer>, signatures: ReturnType<typeof readSignatures>, verifiers: readonly Verifier[]): Promise<boolean> {
  const tried = verifiers.flatMap(({ version, signatureBytes, isSignatureOf }) =>
    signatures.filter((each) => each.version === version && each.bytes.length === signatureBytes).map(({ bytes }) => isSignatureOf(bytes, content)),
  );
  return (await Promise.all(tried)).includes(true);
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);

/** Whether the outermost object has a name twice: parsers differ about which one counts. The text is JSON. */
function repeatsName(text: string): boolean {
  const names: unknown[] = [];
  let depth = 0;
  for (const [token, colon] of text.matchAll(/[{}[\]]|"[^"\\]*(?:\\.[^"\\]*)*"(?=[\t\n\r ]*(:)?)/g)) {
    if (token === "{" || token === "[") depth += 1;
    else if (token === "}" || token === "]") depth -= 1;
    else if (depth === 1 && colon !== undefined) names.push(JSON.parse(token));
  }
  return new Set(names).size < names.length;
}

function readEvent(body: Uint8Array, id: string): WebhookEvent {
  const malformed = refuse("malformed_body", "the body is signed, but is not {type, timestamp, sequence, account, data} as JSON, each once");
  let text: string;
  let parsed: unknown;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(body);
    parsed = JSON.parse(text);
  } catch {
    throw malformed;
  }
  if (!isObject(parsed) || repeatsName(text)) throw malformed;
  const { type, timestamp, sequence, account = null, data } = parsed;
  const isAccount = Object.hasOwn(parsed, "account") ? typeof account === "string" : account === null;
  if (typeof type !== "string" || typeof timestamp !== "string" || !Number.isSafeInteger(sequence) || !isAccount || !isObject(data)) throw malformed;
  // Signed by Assay, whose contract says what is in the data of each type.
  return { id, type, timestamp, sequence, account, data } as WebhookEvent;
}

/**
 * Verifies a webhook and returns its event, or throws a `WebhookVerificationError`. `payload` is the raw body, as it arrived;
 * `secrets` are the endpoint's secret (`whsec_…`), while it is being rotated both, or the installation's public key (`whpk_…`),
 * which needs `options.account`.
 */
export async function verifyWebhook(payload: string | Uint8Array, headers: WebhookHeaders, secrets: string | readonly string[], options: VerifyWebhookOptions = {}): Promise<WebhookEvent> {
  const { toleranceSeconds = 300, payloadBytesMax = 65_536, seen, now = Date.now } = options;
  const verifiers = await readSecrets(secrets);
  const expected = readExpectedAccount(secrets, options.account);
  const body = readPayload(payload, payloadBytesMax);
  const id = readId(headers);
  const time = readTime(headers, { nowMs: now(), toleranceSeconds });
  const signatures = readSignatures(headers);
  if (!(await isSigned(join(`${id}.${time}.`, body), signatures, verifiers))) {
    throw refuse("bad_signature", "no signature was made with one of the secrets for this id, time and body");
  }
  const event = readEvent(body, id);
  if (expected !== undefined && event.account !== expected) throw refuse("other_account", "it is genuine, but it is not an event of the account that is expected");
  if (await seen?.(id)) throw refuse("duplicate", "an event with this id has been handled before");
  return event;
}
