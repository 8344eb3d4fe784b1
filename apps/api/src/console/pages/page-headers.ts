/**
 * Pages load only their own files. Styles that scripts add carry the nonce, if the page has such styles; images of ads may
 * be on another origin.
 */
function contentSecurityPolicy(nonce: string | undefined, imageOrigin: string | undefined): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    nonce === undefined ? "style-src 'self'" : `style-src 'self' 'nonce-${nonce}'`,
    imageOrigin === undefined ? "img-src 'self'" : `img-src 'self' ${imageOrigin}`,
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

const sharedHeaders = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};

/** The address of these has the token of a mailed link, which no other address is told. */
export const noReferrer = { "referrer-policy": "no-referrer" };

/** Without a nonce, every response is the same, so that a copy may be kept and revalidated. */
export function pageHeaders(nonce: string | undefined, imageOrigin: string | undefined): Record<string, string> {
  return {
    ...sharedHeaders,
    "content-type": "text/html; charset=utf-8",
    // Each response with a nonce has its own, so a cached copy must not be reused.
    "cache-control": nonce === undefined ? "public, no-cache" : "private, no-cache",
    "content-security-policy": contentSecurityPolicy(nonce, imageOrigin),
    "x-frame-options": "DENY",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
  };
}

/** Files with a content hash in their name are cached forever; the others are revalidated. */
export function fileHeaders(isNamedByContent: boolean): Record<string, string> {
  return { ...sharedHeaders, "cache-control": isNamedByContent ? "public, max-age=31536000, immutable" : "public, no-cache" };
}
