import type { WaitingEarning } from "@assay/contract/dashboard/waiting.ts";

export const waitingTitles: Record<WaitingEarning["reason"], string> = {
  repeated_session: "The same session, many times",
  unexamined: "Calls that leave nothing to examine",
  crowded_network: "Many clicks from one network",
};
