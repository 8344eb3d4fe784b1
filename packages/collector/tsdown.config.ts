import { defineConfig } from "tsdown";

const shared = { platform: "browser", target: "es2020", minify: true, fixedExtension: false } as const;

export default defineConfig([
  { ...shared, entry: "src/collector.ts", format: "esm", dts: { eager: true }, clean: true },
  { ...shared, entry: "src/script.ts", format: "iife", dts: false, clean: false },
]);
