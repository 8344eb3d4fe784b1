import { cpSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { clientVersion } from "@assay/contract/client-packages.ts";
import { runOrFail } from "../../packages/sdk/src/testing/run-program.ts";
import { writeGoModule } from "../../scripts/clients/build-clients.ts";
import type { Prepared } from "../conformance/adapter.ts";

export const go = process.env.ASSAY_TEST_GO ?? "/usr/bin/go";
/** Of compiled packages of the standard library, which take half a minute. */
const cache = join(import.meta.dirname, "..", "..", "node_modules", ".cache", "go-build");

export const whySkipped = (): string | false => (existsSync(go) ? false : `there is no ${go}: install golang, or set ASSAY_TEST_GO`);

/** Nothing of the developer's own settings, and no network. */
export function goEnvironment(folder: string): NodeJS.ProcessEnv {
  const caches = { GOPATH: join(folder, "gopath"), GOCACHE: cache, GOENV: "off" };
  return { PATH: process.env.PATH, HOME: folder, ...caches, GOPROXY: pathToFileURL(join(folder, "go")).href, GOSUMDB: "off", GOFLAGS: "-mod=mod -modcacherw", GOTOOLCHAIN: "local", CGO_ENABLED: "0" };
}

/** A program of its own in the empty folder that requires the built module. */
export async function buildProgram(folder: string, source: string): Promise<string> {
  const program = join(folder, "program");
  mkdirSync(program);
  writeGoModule(folder);
  writeFileSync(join(program, "go.mod"), `module program\n\ngo 1.19\n\nrequire assay.dev/client v${clientVersion}\n`);
  cpSync(source, join(program, "main.go"));
  await runOrFail(go, ["build", "-o", "program", "."], { cwd: program, env: goEnvironment(folder) });
  return join(program, "program");
}

export async function prepare(folder: string): Promise<Prepared> {
  const program = await buildProgram(folder, join(import.meta.dirname, "conformance", "adapter.go"));
  return { program, args: [], cwd: folder, env: {} };
}
