import { hash, timingSafeEqual } from "node:crypto";

/** Compares hashes in constant time, so that timing reveals neither length nor content. */
export const isToken = (given: string, token: string): boolean => timingSafeEqual(hash("sha256", given, "buffer"), hash("sha256", token, "buffer"));
