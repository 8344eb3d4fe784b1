import { hkdfSync } from "node:crypto";

const fingerprintBytes = 16;

/**
 * Tells whether two installations have the same secret without telling the secret. Tracking addresses, second
 * factors and sign-ins are only good under the one they were made with.
 */
export const fingerprintOf = (secret: string): string =>
  Buffer.from(hkdfSync("sha256", secret, "assay", "fingerprint of the secret", fingerprintBytes)).toString("hex");
