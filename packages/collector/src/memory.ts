import type { Totals } from "./session-totals.ts";

/** The one name under which anything is kept: the tab's running totals, and a count of sessions. */
const name = "assay";
/** The count says "here before"; nothing is gained by counting on. */
const visitsMax = 9;

/** Totals of the session so far, and how many times they were sent. */
export type Kept = { totals: Totals; sequence: number };

/** Storage may be full, switched off or refused; the collector then does without. */
function attempt<Value>(work: () => Value): Value | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

export function keep(kept: Kept): void {
  attempt(() => sessionStorage.setItem(name, JSON.stringify(kept)));
}

export function readKept(): Kept | undefined {
  const kept = attempt(() => JSON.parse(sessionStorage.getItem(name) ?? "null") as Kept | null);
  return kept && Number.isFinite(kept.totals?.inViewMs) && Number.isFinite(kept.sequence) ? kept : undefined;
}

/** Whether the visitor asks not to be recognised: Global Privacy Control or Do Not Track. */
function asksForPrivacy(): boolean {
  const { globalPrivacyControl, doNotTrack } = navigator as Navigator & { globalPrivacyControl?: boolean; doNotTrack?: string | null };
  return globalPrivacyControl === true || doNotTrack === "1";
}

/** Counts this session; says whether there was one before. Undefined where that is not to be known, or cannot be. */
export function countVisit(): boolean | undefined {
  return attempt(() => {
    if (asksForPrivacy()) {
      localStorage.removeItem(name);
      return undefined;
    }
    const visits = Number(localStorage.getItem(name)) || 0;
    localStorage.setItem(name, String(Math.min(visits + 1, visitsMax)));
    return visits > 0;
  });
}
