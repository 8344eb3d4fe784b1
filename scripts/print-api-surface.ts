// Writes docs/openapi.json, from which the page at /docs is built, and docs/api-surface.txt: every operation, field, enum
// value and header that callers may rely on, one per line. Run it after adding something. A line that would disappear is a
// breaking change: see docs/versioning.md.
//   node scripts/print-api-surface.ts
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { surfaceOf } from "../apps/api/test/http/api-surface.ts";
import { startService } from "../apps/api/test/start-service.ts";

const docs = join(import.meta.dirname, "..", "docs");
const service = await startService();
try {
  const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as Parameters<typeof surfaceOf>[0];
  writeFileSync(join(docs, "api-surface.txt"), `${surfaceOf(document).join("\n")}\n`);
  writeFileSync(join(docs, "openapi.json"), `${JSON.stringify(document, null, 1)}\n`);
} finally {
  await service.stop();
}
