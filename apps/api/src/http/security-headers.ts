/** Set on every answer. Routes that serve a page, a file or an image add to these and set their own Cache-Control. */
const always = { "x-content-type-options": "nosniff", "cache-control": "no-store" };

/** One year, without subdomains: those are the operator's decision. */
const overHttps = { "strict-transport-security": "max-age=31536000" };

export type SecurityHeaders = Readonly<Record<string, string>>;

export const securityHeadersOf = (publicUrl: string | undefined): SecurityHeaders =>
  publicUrl?.startsWith("https:") ? { ...always, ...overHttps } : always;
