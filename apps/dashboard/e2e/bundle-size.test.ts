import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import { gzipSync } from "node:zlib";
import { requirePages } from "../../../scripts/dashboard-sources.ts";

type Chunk = { file: string; imports?: string[]; dynamicImports?: string[]; isEntry?: boolean };
type Manifest = Record<string, Chunk>;

const app = join(import.meta.dirname, "..");
const firstLoadBytesMax = 250 * 1024;
/** Much less than for the dashboard, because first-time visitors wait for it. */
const landingBytesMax = 100 * 1024;
/** Of the reference: page, style, scripts and logo together, compressed. */
const transferBytesMax = 150 * 1024;
const chartModules = /recharts|victory|d3-/;

let manifest: Manifest;

/** The chunk and its static imports, recursively. */
function importsOf(name: string, known = new Set<string>()): Set<string> {
  if (known.has(name)) return known;
  known.add(name);
  for (const each of manifest[name]?.imports ?? []) importsOf(each, known);
  return known;
}

const textOf = (name: string): Buffer => readFileSync(join(app, "dist", manifest[name]?.file ?? ""));
const gzippedBytesOf = (names: Iterable<string>): number =>
  [...new Set(names)].filter((name) => manifest[name]?.file.endsWith(".js")).reduce((sum, name) => sum + gzipSync(textOf(name)).length, 0);

before(() => {
  requirePages();
  manifest = JSON.parse(readFileSync(join(app, "dist", "manifest.json"), "utf8")) as Manifest;
});

describe("first load", () => {
  it("is under 250 KiB of gzipped JavaScript for every page of the dashboard", (test) => {
    const shell = importsOf("dashboard/index.html");
    const pages = manifest["dashboard/index.html"]?.dynamicImports ?? [];
    assert.ok(pages.length >= 12, `only ${pages.length} pages were found`);
    for (const page of pages) {
      const bytes = gzippedBytesOf([...shell, ...importsOf(page)]);
      test.diagnostic(`${page}: ${(bytes / 1024).toFixed(1)} KiB`);
      assert.ok(bytes < firstLoadBytesMax, `${page} loads ${bytes} bytes`);
    }
  });

  it("is under 100 KiB for the landing page, the model included", (test) => {
    const bytes = gzippedBytesOf(importsOf("index.html"));
    test.diagnostic(`landing page: ${(bytes / 1024).toFixed(1)} KiB`);
    assert.ok(bytes < landingBytesMax, `${bytes} bytes`);
  });

  it("does not include the chart library", () => {
    const charts = Object.keys(manifest).find((name) => name.endsWith("charts/stacked-bars.tsx"));
    assert.ok(charts, "there is a chart chunk");
    const first = [...importsOf("dashboard/index.html"), ...(manifest["dashboard/index.html"]?.dynamicImports ?? []).flatMap((page) => [...importsOf(page)])];
    assert.ok(!first.includes(charts));
    assert.ok([...importsOf(charts)].some((name) => /recharts/.test(textOf(name).toString("utf8"))), "the chart chunk contains recharts");
    for (const name of first) assert.doesNotMatch(name, chartModules);
  });

  it("of the reference is less than 150 KiB in all, as it is sent", (test) => {
    const page = readFileSync(join(app, "dist/docs/index.html"), "utf8");
    const files = [...page.matchAll(/(?:src|href)="(\/dashboard\/[^"]+\.(?:js|css|svg))"/g)].map(([, address]) => join(app, "dist", address!));
    assert.ok(files.length >= 4, "the page has a style sheet, a script and a logo");
    const bytes = [join(app, "dist/docs/index.html"), ...new Set(files)].reduce((sum, file) => sum + readFileSync(`${file}.br`).length, 0);
    test.diagnostic(`API reference: ${(bytes / 1024).toFixed(1)} KiB`);
    assert.ok(bytes < transferBytesMax, `${bytes} bytes`);
  });
});
