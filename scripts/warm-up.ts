// Starts the service on a temporary store and stops it, so that all its modules are in the compile cache.
import { mkdtempSync, rmSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "../apps/api/src/config.ts";
import { serve } from "../apps/api/src/start/serve.ts";

const dataDir = mkdtempSync(join(tmpdir(), "assay-warm-up-"));
try {
  const service = await serve(readConfig({ DATA_DIR: dataDir, PORT: "0", LOG_LEVEL: "warn" }));
  // Also load the modules that are loaded lazily at the first sign-in.
  await fetch(`${service.address}/dashboard/api/me`, { headers: { cookie: "none=0" } });
  await service.stop();
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
flushCompileCache();
