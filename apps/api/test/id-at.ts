import { lowestIdAt, randomBase62 } from "../src/ids/time-ordered-id.ts";

/** A session id for any time: real ids only move forward. */
export const idAt = (atMs: number): string => `${lowestIdAt("sess", atMs)}${randomBase62(14)}`;
