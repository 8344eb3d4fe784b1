import type { Artefact } from "../packages/scoring/src/artefact.ts";
import type { Session } from "./read-sessions.ts";

type Description = { origin: string; licence: string; use: string };

const descriptions: Readonly<Record<string, Description>> = {
  auth_library_logs: {
    origin: "Lagopoulos & Tsoumakas, Web robot detection - Server logs, Zenodo 3477932",
    licence: "CC BY 4.0 as far as known",
    use: "fitted and evaluated",
  },
  uci_online_shoppers: {
    origin: "Sakar & Kastro, Online Shoppers Purchasing Intention, UCI 468",
    licence: "CC BY 4.0",
    use: "fitted and evaluated",
  },
  gstore_ga360: {
    origin: "Google Merchandise Store, GA360 public sample of 2017",
    licence: "terms unclear",
    use: "evaluated only",
  },
  scroll_reading: {
    origin: "Gooding et al., reading with scrolling, CoNLL 2021",
    licence: "none stated",
    use: "evaluated only",
  },
};

const unknown: Description = { origin: "not described", licence: "unknown", use: "unknown" };

/** The sources in the files, with what is known about each. */
export function describeSources(sessions: readonly Session[]): Artefact["sources"] {
  const rows = new Map<string, { task: string; count: number }>();
  for (const { source, task } of sessions) {
    rows.set(source, { task, count: (rows.get(source)?.count ?? 0) + 1 });
  }
  return [...rows].map(([name, { task, count }]) => {
    const { origin, licence, use } = descriptions[name] ?? unknown;
    return { name, task, rows: count, origin, licence, use };
  });
}
