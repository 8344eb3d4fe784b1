import react from "@vitejs/plugin-react";
import { join } from "node:path";
import { defineConfig } from "vite";
import { includeClients } from "./build/include-clients.ts";
import { includeModelCard } from "./build/include-model-card.ts";
import { includeReference } from "./build/include-reference.ts";

const here = import.meta.dirname;
const docs = join(here, "../../docs");

export default defineConfig({
  root: here,
  base: "/",
  plugins: [react(), includeModelCard(join(docs, "model-card.md")), includeReference(docs), includeClients()],
  // The server replaces this with a fresh nonce per page: see apps/api/src/console/pages.
  html: { cspNonce: "{{nonce}}" },
  build: {
    outDir: join(here, "dist"),
    emptyOutDir: true,
    // Below /dashboard/, so that a proxy only needs to forward `/` and `/dashboard/*`.
    assetsDir: "dashboard/assets",
    // No inlined files: the content security policy does not allow data: URLs.
    assetsInlineLimit: 0,
    // For e2e/bundle-size.test.ts.
    manifest: "manifest.json",
    target: "es2022",
    reportCompressedSize: false,
    rolldownOptions: {
      input: {
        landing: join(here, "index.html"),
        modelCard: join(here, "model-card/index.html"),
        clients: join(here, "clients/index.html"),
        reference: join(here, "docs/index.html"),
        dashboard: join(here, "dashboard/index.html"),
      },
    },
  },
});
