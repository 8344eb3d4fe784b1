import type { IntegrityReply } from "@assay/contract/dashboard/integrity.ts";
import type { NetworkDayRow } from "../../store/schema-attestation.ts";

type Part = Pick<NetworkDayRow, "day" | "calls" | "networks" | "top_calls">;

/** `parts`: how many processes counted. */
export type NetworkDay = { day: number; calls: number; networks: number; topCalls: number; parts: number };

/**
 * Attested calls by day. Each process counts for itself, and which networks it saw is in no table: a day has at least as
 * many as the process that saw most, and the most frequent one has at most the sum of every process's most frequent one.
 */
export function sumUpNetworkDays(rows: readonly Part[]): NetworkDay[] {
  return [...Map.groupBy(rows, ({ day }) => day)].map(([day, parts]) => ({
    day,
    calls: parts.reduce((sum, part) => sum + part.calls, 0),
    networks: Math.max(...parts.map(({ networks }) => networks)),
    topCalls: parts.reduce((sum, part) => sum + part.top_calls, 0),
    parts: parts.length,
  }));
}

/** Over all days: a network is the same for one day only, so neither figure adds up further. */
export function sumUpNetworks(rows: readonly Part[]): IntegrityReply["networks"] {
  const days = sumUpNetworkDays(rows);
  const calls = days.reduce((sum, day) => sum + day.calls, 0);
  if (calls === 0) return null;
  return {
    calls,
    networks: Math.max(...days.map(({ networks }) => networks)),
    top_share: days.reduce((sum, day) => sum + day.topCalls, 0) / calls,
  };
}
