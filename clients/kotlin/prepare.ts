import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { unzipSync } from "fflate";
import { writeSources } from "../../scripts/clients/build-clients.ts";
import { runOrFail } from "../../packages/sdk/src/testing/run-program.ts";
import { buildOnce, identify } from "../conformance/build-once.ts";

/** The folder `lib` of JetBrains' npm package kotlin-compiler. */
const library = process.env.ASSAY_TEST_KOTLIN ?? "";
const javac = process.env.ASSAY_TEST_JAVAC ?? "/usr/bin/javac";
const java = join(dirname(javac), "java");

const inLibrary = (...names: string[]): string => names.map((name) => join(library, `${name}.jar`)).join(delimiter);

export function whySkipped(): string | false {
  if (!existsSync(java)) return "there is no JDK: install openjdk-17-jdk-headless or set ASSAY_TEST_JAVAC";
  return !existsSync(inLibrary("kotlin-compiler")) && "there is no Kotlin compiler: set ASSAY_TEST_KOTLIN to the folder lib of the npm package kotlin-compiler";
}

const rules = ["-no-reflect", "-no-stdlib", "-jvm-target", "11", "-Werror"];
const publishedRules = ["-Xexplicit-api=strict"];

/** Compiles sources against the jars, for Java 11; any warning is an error. */
async function compile(sources: readonly string[], { jar, jars, isPublished }: { jar: string; jars: readonly string[]; isPublished: boolean }): Promise<void> {
  const compiler = inLibrary("kotlin-compiler", "kotlin-stdlib", "kotlin-script-runtime", "kotlinx-coroutines-core-jvm", "annotations-13.0");
  // Two compilations take half a minute; optimising the compiler itself would take longer.
  const options = ["-Xmx768m", "-XX:TieredStopAtLevel=1", "-cp", compiler, "org.jetbrains.kotlin.cli.jvm.K2JVMCompiler"];
  const classpath = [inLibrary("kotlin-stdlib"), ...jars].join(delimiter);
  await runOrFail(java, [...options, ...rules, ...(isPublished ? publishedRules : []), "-classpath", classpath, "-d", jar, ...sources], { cwd: import.meta.dirname });
}

/** Writes the lines that the README shows to a file, and returns it. */
function writeReadme(folder: string): string {
  const [, shown] = /^```kotlin .*\n([^`]+)^```$/m.exec(readFileSync(join(import.meta.dirname, "README.md"), "utf8"))!;
  const file = join(folder, "Readme.kt");
  writeFileSync(file, `package shop\n\nimport android.*\nimport dev.assay.collector.*\n\n${shown}`);
  return file;
}

/** Unpacks the built package, and returns its folder of sources. */
function unpackSources(folder: string): string {
  for (const [name, bytes] of Object.entries(unzipSync(readFileSync(writeSources(folder, "kotlin"))))) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), bytes);
  }
  return join(folder, "src", "main", "kotlin");
}

/** Compiles the collector as it is published, and against it the adapter, and returns how to start that. */
export async function prepare(folder: string): Promise<{ program: string; args: string[]; cwd: string; jar: string }> {
  const [jar, adapter] = [join(folder, "collector.jar"), join(folder, "adapter.jar")];
  const sources = unpackSources(folder);
  const users = [...["Adapter.kt", "Android.kt"].map((name) => join(import.meta.dirname, "conformance", name)), writeReadme(folder)];
  const files = [...globSync(join(sources, "**", "*.kt")).toSorted(), ...users];
  const inputs = [identify(inLibrary("kotlin-compiler")), ...rules, ...publishedRules, ...files.map((file) => readFileSync(file))];
  await buildOnce(folder, { name: "kotlin", inputs }, async (empty) => {
    const built = join(empty, "collector.jar");
    await compile([sources], { jar: built, jars: [], isPublished: true });
    // One compilation for both, because the compiler's start takes longer than they do.
    await compile(users, { jar: join(empty, "adapter.jar"), jars: [built], isPublished: false });
  });
  return { program: java, args: ["-cp", [inLibrary("kotlin-stdlib"), jar, adapter].join(delimiter), "AdapterKt"], cwd: folder, jar };
}
