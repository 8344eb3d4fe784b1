import type { SessionData } from "@assay/contract/scoring.ts";
import type { SiteAccount } from "../../prepare-sites.ts";
import { addressIn } from "../../beats/page-requests.ts";
import type { Redeemed } from "./visitor.ts";

/** What an attack came to. */
export type Outcome = {
  name: string;
  networks: number;
  /** Sessions, or copies of one. */
  attempted: number;
  /** As `server_timed`. */
  accepted: number;
  /** Of these, more than the rules permit, and whatever else must not happen. */
  forbidden: number;
  /** From the start of an accepted session to its last beat, on average. */
  secondsPerAccepted: number | undefined;
  /** Accepted per hour, where it follows from the published quotas and the rate; otherwise undefined. */
  perHour: number | undefined;
  /** Issues of answers and codes of refusals. */
  issues: Map<string, number>;
  /** What else there is to say. */
  note?: string;
};

export type AttackContext = {
  url: string;
  /** An account and its sites, of which no other attacker uses any. */
  takeAccount(): SiteAccount;
  /** An address in each of so many networks that no other attacker is in. */
  takeNetworks(count: number): string[];
  /** How long attacks at a rate last. */
  seconds: number;
  copies: number;
  tell(text: string): void;
};

/** What a forger's server says about a session: as much as the interface's own example. */
export const claimed: SessionData = { user_engagement: 0.75, session_duration: 180, scroll_depth: 0.8, interaction_count: 12, page_views: 5, return_visitor: true };

const networksOfAll = 65_536;

/** Of all simulated networks, in order. */
export function createNetworks(): (count: number) => string[] {
  let taken = 0;
  return (count) => {
    taken += count;
    if (taken > networksOfAll) throw new Error("no simulated network is left");
    return Array.from({ length: count }, (_, index) => addressIn(taken - count + index));
  };
}

/** Adds up what became of sessions. */
export function createTally() {
  const issues = new Map<string, number>();
  let [accepted, lastedMs] = [0, 0];
  const note = (issue: string): void => void issues.set(issue, (issues.get(issue) ?? 0) + 1);
  return {
    note,
    add({ isAttested, isReplayed, issues: found }: Redeemed, sessionMs = 0): void {
      for (const issue of isReplayed ? ["replayed"] : found) note(issue);
      if (!isAttested || isReplayed) return;
      accepted += 1;
      lastedMs += sessionMs;
    },
    accepted: () => accepted,
    sum: () => ({ accepted, issues, secondsPerAccepted: accepted === 0 ? undefined : lastedMs / accepted / 1_000 }),
  };
}
