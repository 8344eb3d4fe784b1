import type { StoredSession } from "@assay/contract/measuring/session-totals.ts";

/** The only storage key: the tab's running totals in sessionStorage, the number of sessions in localStorage. */
const storageKey = "assay";
/** The count only tells whether the visitor has been here before; counting further is pointless. */
const visitsMax = 9;

/** Storage may be full, disabled or denied; the collector then works without it. */
function tryStorage<Value>(work: () => Value): Value | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

export function saveSession(session: StoredSession): void {
  tryStorage(() => sessionStorage.setItem(storageKey, JSON.stringify(session)));
}

export function loadSession(): StoredSession | undefined {
  const stored = tryStorage(() => JSON.parse(sessionStorage.getItem(storageKey) ?? "null") as StoredSession | null);
  return stored && Number.isFinite(stored.totals?.inViewMs) && Number.isFinite(stored.totals.clicks) && Number.isFinite(stored.sequence) ? stored : undefined;
}

/** Whether the visitor asks not to be tracked: Global Privacy Control or Do Not Track. */
export function asksForPrivacy(): boolean {
  const { globalPrivacyControl, doNotTrack } = navigator as Navigator & { globalPrivacyControl?: boolean; doNotTrack?: string | null };
  return globalPrivacyControl === true || doNotTrack === "1";
}

/** Counts this session and returns whether there was an earlier one. Undefined if the visitor objects or storage fails. */
export function countVisit(): boolean | undefined {
  return tryStorage(() => {
    if (asksForPrivacy()) {
      localStorage.removeItem(storageKey);
      return undefined;
    }
    const visits = Number(localStorage.getItem(storageKey)) || 0;
    localStorage.setItem(storageKey, String(Math.min(visits + 1, visitsMax)));
    return visits > 0;
  });
}
