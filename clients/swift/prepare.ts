import { execFile } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { unzipSync } from "fflate";
import { writeSources } from "../../scripts/clients/build-clients.ts";
import type { Prepared } from "../conformance/adapter.ts";

/** Root of a Debian system with `swiftlang`, which `npm run test:swift` makes. */
const root = process.env.ASSAY_TEST_SWIFT ?? "";

/** On a loaded machine two cores take more than a minute. */
const buildMsMax = 8 * 60_000;

export function whySkipped(): string | false {
  if (root === "" || !existsSync(join(root, "usr", "bin", "swiftc"))) return "there is no Swift compiler: npm run test:swift installs one into a folder of its own";
  return process.getuid?.() !== 0 && "only root may change the root directory";
}

/** How to run a program in a folder of the other system. Its /proc, which Foundation and the compiler need, ends with the program. */
function enter(folder: string, command: readonly string[]): Prepared {
  const script = 'mount -t proc proc "$0/proc" && exec chroot "$0" "$@"';
  const env = ["/usr/bin/env", "-i", "-C", folder, "PATH=/usr/bin:/bin", `HOME=${folder}`, "LANG=C.UTF-8"];
  return { program: "unshare", args: ["--mount", "/bin/sh", "-c", script, root, ...env, ...command], cwd: root, env: process.env };
}

const usesCollector = `// swift-tools-version:5.9
import PackageDescription

let collector: Target.Dependency = .product(name: "AssayCollector", package: "AssayCollector")
let package = Package(
    name: "adapter",
    platforms: [.iOS(.v13), .macOS(.v10_15)],
    dependencies: [.package(path: "../AssayCollector")],
    targets: [
        .executableTarget(name: "adapter", dependencies: [collector, "Readme"]),
        .target(name: "Readme", dependencies: [collector, "UIKit"]),
        .target(name: "UIKit"),
    ]
)
`;

function unpackCollector(folder: string): void {
  const zip = writeSources(folder, "swift");
  for (const [name, bytes] of Object.entries(unzipSync(readFileSync(zip)))) {
    const file = join(folder, "AssayCollector", name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, bytes);
  }
}

/** A package that uses the collector as an app does: the adapter, and the lines that the README shows. */
function writeAdapter(folder: string): void {
  for (const target of ["adapter", "Readme", "UIKit"]) mkdirSync(join(folder, "adapter", "Sources", target), { recursive: true });
  const sources = join(folder, "adapter", "Sources");
  writeFileSync(join(folder, "adapter", "Package.swift"), usesCollector);
  copyFileSync(join(import.meta.dirname, "conformance", "Adapter.swift"), join(sources, "adapter", "main.swift"));
  copyFileSync(join(import.meta.dirname, "conformance", "UIKit.swift"), join(sources, "UIKit", "UIKit.swift"));
  const [, shown] = /^```swift .*\n([^`]+)^```$/m.exec(readFileSync(join(import.meta.dirname, "README.md"), "utf8"))!;
  writeFileSync(join(sources, "Readme", "Readme.swift"), `${shown}\nfunc visitId() -> String { "v1" }\n`);
}

/** Builds the published sources and the adapter with Swift's own package manager; any warning is an error. */
export async function prepare(): Promise<Prepared & { remove: () => void }> {
  mkdirSync(join(root, "work"), { recursive: true });
  const folder = mkdtempSync(join(root, "work", "assay-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    unpackCollector(folder);
    writeAdapter(folder);
    const rules = ["-warnings-as-errors", "-strict-concurrency=complete"].flatMap((rule) => ["-Xswiftc", rule]);
    const inside = join(folder.slice(root.length), "adapter");
    const { program, args, cwd } = enter(inside, ["swift", "build", "--disable-sandbox", ...rules]);
    await promisify(execFile)(program, args, { cwd, timeout: buildMsMax, killSignal: "SIGKILL" }).catch((error: Error & { stdout: string }) => {
      throw new Error(`${error.message}\n${error.stdout}`);
    });
    return { ...enter(inside, [".build/debug/adapter"]), remove };
  } catch (error) {
    remove();
    throw error;
  }
}
