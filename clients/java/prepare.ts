import { unzipSync } from "fflate";
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { runOrFail } from "../../packages/sdk/src/testing/run-program.ts";
import { writeSources } from "../../scripts/clients/build-clients.ts";
import type { Prepared } from "../conformance/adapter.ts";
import { buildOnce, identify } from "../conformance/build-once.ts";

export const javac = process.env.ASSAY_TEST_JAVAC ?? "/usr/bin/javac";
/** The other programs of the JDK are beside its compiler. */
export const jdkProgram = (name: string): string => join(dirname(javac), name);

export const whySkipped = (): string | false => (existsSync(javac) ? false : `there is no ${javac}: install openjdk-17-jdk-headless, or set ASSAY_TEST_JAVAC`);

const compilerArguments = ["-encoding", "UTF-8", "-Xlint:all", "-Werror", "--release", "11"];

/** Unpacks the built package of sources into the folder, and returns their paths. */
export function unpackSources(folder: string): string[] {
  const files = unzipSync(new Uint8Array(readFileSync(writeSources(folder, "java"))));
  for (const [name, bytes] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, "assay-java", name)), { recursive: true });
    writeFileSync(join(folder, "assay-java", name), bytes);
  }
  return globSync(join(folder, "assay-java", "**", "*.java"));
}

/** Makes the jar of the built package, and returns its path. */
export async function buildJar(folder: string): Promise<string> {
  const sources = unpackSources(folder);
  const inputs = [identify(javac), ...compilerArguments, ...sources.toSorted().map((file) => readFileSync(file))];
  await buildOnce(folder, { name: "java", inputs }, async (empty) => {
    const options = { cwd: empty, env: { PATH: process.env.PATH } };
    await runOrFail(javac, [...compilerArguments, "-d", "assay-classes", ...sources], options);
    await runOrFail(jdkProgram("jar"), ["--create", "--file", "assay-client-0.1.0.jar", "-C", "assay-classes", "."], options);
  });
  return join(folder, "assay-client-0.1.0.jar");
}

/** Compiles a program that uses the jar, and returns its class path. */
export async function compileWith(jar: string, source: string, folder: string): Promise<string> {
  const inputs = [identify(javac), ...compilerArguments, readFileSync(jar), readFileSync(source)];
  await buildOnce(folder, { name: "java-program", inputs }, async (empty) => {
    await runOrFail(javac, [...compilerArguments, "-cp", jar, "-d", "classes", source], { cwd: empty, env: { PATH: process.env.PATH } });
  });
  return `${jar}:${join(folder, "classes")}`;
}

export async function prepare(folder: string): Promise<Prepared> {
  const classPath = await compileWith(await buildJar(folder), join(import.meta.dirname, "conformance", "Adapter.java"), folder);
  return { program: jdkProgram("java"), args: ["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", classPath, "Adapter"], cwd: folder, env: { PATH: process.env.PATH } };
}
