// Starts the service on a throw-away store and stops it again, so that all it loads is in the compile cache.
import { mkdtempSync, rmSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "../apps/api/src/config.ts";
import { serve } from "../apps/api/src/start/serve.ts";

const dataDir = mkdtempSync(join(tmpdir(), "assay-warm-up-"));
try {
  const service = await serve(readConfig({ DATA_DIR: dataDir, PORT: "0", LOG_LEVEL: "warn" }));
  // What is loaded with the first sign-in is to be in there, too.
  await fetch(`${service.address}/dashboard/api/me`, { headers: { cookie: "none=0" } });
  await service.stop();
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
flushCompileCache();
