import { isbot } from "isbot";
import type { IncomingHttpHeaders } from "node:http";
import type { ClickAgent } from "./click-verdict.ts";

/** Headers by which browsers say that nobody has clicked yet. */
const purposeHeaders = ["sec-purpose", "purpose", "x-purpose", "x-moz"] as const;
const looksAhead = /prefetch|prerender|preview/i;

export const isPrefetch = (headers: IncomingHttpHeaders): boolean => purposeHeaders.some((name) => looksAhead.test(String(headers[name] ?? "")));

/** Looked at for this moment only: what the agent calls itself is neither kept nor logged. */
export function clickAgentOf(headers: IncomingHttpHeaders): ClickAgent {
  if (isPrefetch(headers)) return "prefetch";
  return isbot(headers["user-agent"]) ? "automated_agent" : "person";
}
