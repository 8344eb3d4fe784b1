import { defineConfig } from "tsdown";

export default defineConfig({
  entry: ["src/assay.ts", "src/webhooks.ts"],
  format: "esm",
  // The oldest Node that package.json supports.
  target: "node20",
  platform: "neutral",
  dts: true,
  fixedExtension: false,
  clean: true,
});
