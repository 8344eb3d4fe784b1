import { defineConfig } from "tsdown";

const shared = { platform: "browser", target: "es2020", minify: true, fixedExtension: false } as const;

export default defineConfig([
  // Eager: the types of the contract are not among this package's own files.
  { ...shared, name: "module", entry: "src/collector.ts", format: "esm", dts: { eager: true }, clean: true },
  // scripts/build-dashboard.ts builds this one alone, by its name.
  { ...shared, name: "script", entry: "src/script.ts", format: "iife", dts: false, clean: false },
]);
