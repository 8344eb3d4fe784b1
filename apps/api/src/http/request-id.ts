import { randomBase62 } from "../ids/time-ordered-id.ts";

/** Ids that name a request in the logs: unlike any other process's, and counted within this one. */
export function createRequestIds(): () => string {
  const process = randomBase62(10);
  let count = 0;
  return () => `req_${process}${(count += 1).toString(36)}`;
}
