/** The globals that tell a browser or an app from a server. */
export type GlobalScope = {
  window?: unknown;
  document?: unknown;
  WorkerGlobalScope?: unknown;
  navigator?: { userAgent?: unknown; product?: unknown } | undefined;
};

/** True on a visitor's device, where anyone who can read the code can read the key. */
export function isVisitorDevice(globals: GlobalScope): boolean {
  const { window, document, WorkerGlobalScope, navigator } = globals;
  if (navigator?.product === "ReactNative") return true;
  if (window !== undefined && document !== undefined) return true;
  // Server runtimes have workers too, but only browsers identify as Mozilla.
  return WorkerGlobalScope !== undefined && String(navigator?.userAgent).startsWith("Mozilla/");
}

export function refuseBrowser(globals: GlobalScope): void {
  if (!isVisitorDevice(globals)) return;
  throw new TypeError(
    "@assay/sdk runs on servers only: in a browser or an app every visitor could read the API key. " +
      "Measure signals on the page with @assay/collector, send them to your own server, and call Assay from there.",
  );
}
