// Builds what an installation serves at /clients/: every client as the package of its language, and their checksums. Needs
// nothing but Node and npm, as an installation has nothing else.
import { createHash } from "node:crypto";
import { copyFileSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { clientPackages, clientVersion } from "@assay/contract/client-packages.ts";
import { packNpmPackage } from "./pack-npm-package.ts";
import { packWheel } from "./pack-wheel.ts";
import { prefixNames, readFiles, zipFiles } from "./zip-files.ts";

const root = join(import.meta.dirname, "..", "..");
const sourceOf = (language: string): string => join(root, "clients", language);
const npmPackages = { typescript: "sdk", collector: "collector", "react-native": "react-native" } as const;

/** Go states when a version was made; the same for the same version. */
const goTime = "2026-01-01T00:00:00Z";
const goModule = "assay.dev/client";

function write(file: string, content: string | Uint8Array): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

/** Returns the wheel's path. */
export function writeWheel(folder: string): string {
  const { name, bytes } = packWheel(sourceOf("python"));
  write(join(folder, name), bytes);
  return join(folder, name);
}

/** The files of a module proxy (`go help goproxy`), so that `go get` works. */
export function writeGoModule(folder: string): void {
  const version = `v${clientVersion}`;
  const versions = join(folder, "go", ...goModule.split("/"), "@v");
  const info = JSON.stringify({ Version: version, Time: goTime });
  const files = readFiles(sourceOf("go"), ["*.go", "go.mod", "LICENSE", "README.md", "CHANGELOG.md"]);
  write(join(versions, "list"), `${version}\n`);
  write(join(versions, `${version}.info`), info);
  write(join(versions, "..", "@latest"), info);
  write(join(versions, `${version}.mod`), files["go.mod"]!);
  write(join(versions, `${version}.zip`), zipFiles(prefixNames(files, `${goModule}@${version}/`)));
}

/** A repository of Composer's. The service puts its own address in place of {{address}}. */
export function writePhpPackage(folder: string): void {
  const files = readFiles(sourceOf("php"), ["src/**/*.php", "composer.json", "LICENSE", "README.md", "CHANGELOG.md"]);
  const name = `assay-php-${clientVersion}.zip`;
  const bytes = zipFiles(files);
  const description = JSON.parse(new TextDecoder().decode(files["composer.json"])) as { name: string };
  const dist = { type: "zip", url: `{{address}}/clients/php/${name}`, shasum: createHash("sha1").update(bytes).digest("hex") };
  write(join(folder, "php", name), bytes);
  write(join(folder, "php", "packages.json"), `${JSON.stringify({ packages: { [description.name]: { [clientVersion]: { ...description, version: clientVersion, dist } } } }, undefined, 2)}\n`);
}

/** Sources and what builds them: whoever needs a compiled package has the compiler. Returns the zip's path. */
export function writeSources(folder: string, language: "java" | "kotlin" | "swift"): string {
  const file = join(folder, `assay-${language}-${clientVersion}.zip`);
  write(file, zipFiles(readFiles(sourceOf(language), ["src/main/**/*.{java,kt}", "Sources/**/*.swift", "Package.swift", "pom.xml", "*.gradle.kts", "LICENSE", "README.md", "CHANGELOG.md"])));
  return file;
}

function writeReadmes(folder: string): void {
  for (const { id } of clientPackages) {
    const source = id in npmPackages ? join(root, "packages", npmPackages[id as keyof typeof npmPackages]) : sourceOf(id);
    copyFileSync(join(source, "README.md"), join(folder, `${id}.md`));
  }
}

/** In the form that `sha256sum --check` reads. */
function writeChecksums(folder: string): void {
  const files = globSync("**/*.{tgz,whl,zip}", { cwd: folder }).toSorted();
  const lines = files.map((file) => `${createHash("sha256").update(readFileSync(join(folder, file))).digest("hex")}  ${file}\n`);
  write(join(folder, "SHA256SUMS"), lines.join(""));
}

export async function buildClients(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const name of Object.values(npmPackages)) await packNpmPackage(name, folder);
  writeWheel(folder);
  writeGoModule(folder);
  writePhpPackage(folder);
  writeSources(folder, "java");
  writeSources(folder, "kotlin");
  writeSources(folder, "swift");
  writeReadmes(folder);
  writeChecksums(folder);
}
