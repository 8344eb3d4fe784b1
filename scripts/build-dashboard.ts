// Builds the pages (landing page, model card, dashboard, API reference), the collector, which other people's pages load, and
// the clients in every language, into apps/dashboard/dist unless they are up to date:  node scripts/build-dashboard.ts
import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { buildClients } from "./clients/build-clients.ts";
import { dist, hashSources, isBuilt } from "./dashboard-sources.ts";

const root = dirname(import.meta.dirname);
const app = join(root, "apps", "dashboard");
const replaceAttemptsMax = 10;

const compressible = new Set([".html", ".js", ".css", ".svg", ".txt"]);

/** For large files the maximum quality takes too long for what it saves. */
const brotliQualityOf = (bytes: number) => (bytes > 1_000_000 ? 9 : constants.BROTLI_MAX_QUALITY);

/** Compresses at build time, at the best level, instead of with every request. */
function compressFiles(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const file = join(entry.parentPath, entry.name);
    if (!entry.isFile() || !compressible.has(extname(file))) continue;
    const text = readFileSync(file);
    const params = { [constants.BROTLI_PARAM_QUALITY]: brotliQualityOf(text.length), [constants.BROTLI_PARAM_SIZE_HINT]: text.length };
    writeFileSync(`${file}.br`, brotliCompressSync(text, { params }));
    writeFileSync(`${file}.gz`, gzipSync(text, { level: constants.Z_BEST_COMPRESSION }));
  }
}

/** Replaces the old build. Concurrent builds both succeed, and the later one stays. */
function replaceDist(built: string): void {
  const old = mkdtempSync(join(app, ".old-"));
  try {
    for (let attempt = 1; ; attempt += 1) {
      try {
        if (existsSync(dist)) renameSync(dist, join(old, String(attempt)));
        renameSync(built, dist);
        return;
      } catch (error) {
        // Another build replaced the folder between the two steps.
        if (attempt === replaceAttemptsMax) throw error;
      }
    }
  } finally {
    rmSync(old, { recursive: true, force: true });
  }
}

/** The collector's script, as it is published too. */
function buildCollector(folder: string): void {
  const tsdown = join(root, "node_modules", ".bin", "tsdown");
  mkdirSync(folder, { recursive: true });
  const options = ["--filter", "script", "--out-dir", folder, "--logLevel", "warn"];
  execFileSync(process.execPath, [tsdown, ...options], { cwd: join(root, "packages", "collector"), stdio: ["ignore", 2, 2] });
  renameSync(join(folder, "script.iife.js"), join(folder, "collector.js"));
}

async function build(hash: string): Promise<void> {
  process.stderr.write("Building the pages (only at the first start and when their sources change) …\n");
  const folder = mkdtempSync(join(app, ".new-"));
  const vite = join(root, "node_modules", ".bin", "vite");
  try {
    // Output goes to standard error: standard output belongs to the program that starts next.
    execFileSync(process.execPath, [vite, "build", "--outDir", folder, "--logLevel", "warn"], { cwd: app, stdio: ["ignore", 2, 2] });
    copyFileSync(join(root, "THIRD-PARTY-NOTICES.txt"), join(folder, "dashboard", "licences.txt"));
    buildCollector(join(folder, "c", "v1"));
    await buildClients(join(folder, "clients"));
    for (const part of ["dashboard", "docs", "c"]) compressFiles(join(folder, part));
    writeFileSync(join(folder, ".sources"), hash);
    // Temporary folders are private to their creator, but the service may run as another system user.
    chmodSync(folder, 0o755);
    replaceDist(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const hash = hashSources();
if (!isBuilt(hash)) await build(hash);
