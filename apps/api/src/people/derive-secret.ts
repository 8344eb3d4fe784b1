import { hkdfSync } from "node:crypto";

const secretBytes = 32;

/** A secret for one purpose, made from the installation's: to know one is to know neither the others nor their source. */
export const deriveSecret = (secretKey: string, purpose: string): string =>
  Buffer.from(hkdfSync("sha256", secretKey, "assay", purpose, secretBytes)).toString("hex");
