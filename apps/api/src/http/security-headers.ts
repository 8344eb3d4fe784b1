/**
 * What every answer says, whatever it is an answer to. A route that has a page, a file or an image to give says more,
 * and says itself how long it may be kept; without a word of its own, nobody keeps an answer.
 */
const always = { "x-content-type-options": "nosniff", "cache-control": "no-store" };

/** For a year from each visit browsers use https only. Subdomains are the operator's to decide about. */
const overHttps = { "strict-transport-security": "max-age=31536000" };

export type SecurityHeaders = Readonly<Record<string, string>>;

export const securityHeadersOf = (publicUrl: string | undefined): SecurityHeaders =>
  publicUrl?.startsWith("https:") ? { ...always, ...overHttps } : always;
