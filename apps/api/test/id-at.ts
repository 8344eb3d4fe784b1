import { lowestIdAt, randomBase62 } from "../src/ids/time-ordered-id.ts";

/** A session's id as it would have been made at any time: the real ones only ever move forward. */
export const idAt = (atMs: number): string => `${lowestIdAt("sess", atMs)}${randomBase62(14)}`;
