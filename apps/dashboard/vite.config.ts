import react from "@vitejs/plugin-react";
import { join } from "node:path";
import { defineConfig } from "vite";
import { includeModelCard } from "./build/include-model-card.ts";

const here = import.meta.dirname;

export default defineConfig({
  root: here,
  base: "/",
  plugins: [react(), includeModelCard(join(here, "../../docs/model-card.md"))],
  // The server puts a fresh nonce in the place of this one with every page: see apps/api/src/pages.
  html: { cspNonce: "{{nonce}}" },
  build: {
    outDir: join(here, "dist"),
    emptyOutDir: true,
    // Below /dashboard/, so that a proxy needs to pass on `/` and `/dashboard/*` only.
    assetsDir: "dashboard/assets",
    // No file as a data: address: the content security policy allows none.
    assetsInlineLimit: 0,
    // Lists what the first load of each page needs; a test measures it.
    manifest: "manifest.json",
    target: "es2022",
    reportCompressedSize: false,
    rolldownOptions: {
      input: {
        landing: join(here, "index.html"),
        modelCard: join(here, "model-card/index.html"),
        dashboard: join(here, "dashboard/index.html"),
      },
    },
  },
});
