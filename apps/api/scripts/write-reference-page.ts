import scalar from "@scalar/fastify-api-reference";
import fastify from "fastify";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

const routePrefix = "/docs";
const scriptPath = "/js/scalar.js";

/** Writes the page of the API reference, and the one script that draws it from /openapi.json, as files to be served. */
export async function writeReferencePage(folder: string): Promise<void> {
  const app = fastify();
  await app.register(scalar, {
    routePrefix,
    configuration: {
      url: "/openapi.json",
      // From the root: the page is there with and without a slash behind its address.
      cdn: `${routePrefix}${scriptPath}`,
      pageTitle: "Assay: API reference",
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
      authentication: { preferredSecurityScheme: "apiKey" },
      showDeveloperTools: "never",
      agent: { disabled: true },
      mcp: { disabled: true },
    },
  });
  for (const [url, name] of [["/", "index.html"], [scriptPath, scriptPath]] as const) {
    const { statusCode, rawPayload } = await app.inject({ url: routePrefix + url });
    if (statusCode !== 200) throw new Error(`${url} of the reference page answered ${statusCode}`);
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, rawPayload);
  }
  await app.close();
}
