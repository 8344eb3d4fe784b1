import { defineConfig } from "tsdown";

export default defineConfig({
  entry: "src/assay-provider.ts",
  format: "esm",
  // Metro compiles what it bundles; this is what Hermes itself can run.
  target: "es2020",
  platform: "neutral",
  // Eager: the types of the contract are not among this package's own files.
  dts: { eager: true },
  deps: { neverBundle: ["react", "react-native"] },
  fixedExtension: false,
  clean: true,
});
