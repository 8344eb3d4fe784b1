import { cpSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { runProgram } from "../../packages/sdk/src/testing/run-program.ts";
import type { Prepared } from "../conformance/adapter.ts";

export const go = process.env.ASSAY_TEST_GO ?? "/usr/bin/go";
const version = "v0.1.0";
const root = join(import.meta.dirname, "..", "..");
/** In the layout of a Go module proxy. */
const packages = join(root, "apps", "dashboard", "dist", "clients", "go");
/** Of compiled packages of the standard library, which take half a minute. */
const cache = join(root, "node_modules", ".cache", "go-build");

export const whySkipped = (): string | false => (existsSync(go) ? false : `there is no ${go}: install golang, or set ASSAY_TEST_GO`);

/** Nothing of the developer's own settings, and no network. */
export function goEnvironment(folder: string): NodeJS.ProcessEnv {
  const proxy = existsSync(packages) ? pathToFileURL(packages).href : "off";
  const caches = { GOPATH: join(folder, "gopath"), GOCACHE: cache, GOENV: "off" };
  return { PATH: process.env.PATH, HOME: folder, ...caches, GOPROXY: proxy, GOSUMDB: "off", GOFLAGS: "-mod=mod -modcacherw", GOTOOLCHAIN: "local", CGO_ENABLED: "0" };
}

/** A program of its own in the empty folder that requires the built module, or without one the sources. */
export async function buildProgram(folder: string, source: string): Promise<string> {
  const program = join(folder, "program");
  mkdirSync(program);
  const replaced = existsSync(packages) ? "" : `\nreplace assay.dev/client => ${import.meta.dirname}\n`;
  writeFileSync(join(program, "go.mod"), `module program\n\ngo 1.19\n\nrequire assay.dev/client ${version}\n${replaced}`);
  cpSync(source, join(program, "main.go"));
  const { code, stderr } = await runProgram(go, ["build", "-o", "program", "."], { cwd: program, env: goEnvironment(folder) });
  if (code !== 0) throw new Error(`go cannot build ${source}:\n${stderr}`);
  return join(program, "program");
}

export async function prepare(folder: string): Promise<Prepared> {
  const program = await buildProgram(folder, join(import.meta.dirname, "conformance", "adapter.go"));
  return { program, args: [], cwd: folder, env: {} };
}
