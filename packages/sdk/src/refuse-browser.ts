/** What is looked at to tell a browser or an app from a server. */
export type Surroundings = {
  window?: unknown;
  document?: unknown;
  WorkerGlobalScope?: unknown;
  navigator?: { userAgent?: unknown; product?: unknown } | undefined;
};

/** Whoever can read the code can read the key: true wherever the code runs on a visitor's device. */
export function isVisitorsDevice(surroundings: Surroundings): boolean {
  const { window, document, WorkerGlobalScope, navigator } = surroundings;
  if (navigator?.product === "ReactNative") return true;
  if (window !== undefined && document !== undefined) return true;
  // Servers have workers too; only browsers call themselves Mozilla.
  return WorkerGlobalScope !== undefined && String(navigator?.userAgent).startsWith("Mozilla/");
}

export function refuseBrowser(surroundings: Surroundings): void {
  if (!isVisitorsDevice(surroundings)) return;
  throw new TypeError(
    "@assay/sdk runs on servers only: in a browser or an app every visitor could read the API key. " +
      "Measure signals on the page with @assay/collector, send them to your own server, and call Assay from there.",
  );
}
