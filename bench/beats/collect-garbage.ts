/** Loaded before the service with `--expose-gc`: a signal collects its garbage, so that its metrics then show what it holds. */
process.on("SIGUSR2", () => {
  // Twice: the first collection may only free what keeps buffers alive.
  globalThis.gc!();
  globalThis.gc!();
});
