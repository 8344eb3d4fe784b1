// Finds the servers and programs that tests use, installs what is missing where that is possible, and says what is left out.
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { programs, runtimeFolder, type Server, servers } from "../find-servers.ts";

export type Run = (program: string, programArguments: string[], environment: NodeJS.ProcessEnv) => Promise<boolean>;

const isDebianRoot = (): boolean => process.getuid?.() === 0 && existsSync("/etc/debian_version");
const aptPackagesOf = (some: readonly Server[]): string[] => some.flatMap((each) => ("aptPackage" in each ? [each.aptPackage] : []));
const npmPackagesOf = (some: readonly Server[]): string[] => some.flatMap((each) => ("npmPackage" in each ? [each.npmPackage] : []));

/** Passes the paths of what is there to the tests, by `environment`, and returns what is not. */
export async function provideServers(lane: "everyday" | "all", environment: NodeJS.ProcessEnv, run: Run): Promise<Server[]> {
  const needed = [...servers, ...programs].filter(({ isEveryday }) => lane === "all" || isEveryday);
  const missing = needed.filter((server) => !server.find());
  const inDebian = aptPackagesOf(missing);
  if (inDebian.length > 0 && isDebianRoot()) await installWithApt(inDebian, environment, run);
  const inNpm = npmPackagesOf(missing);
  if (inNpm.length > 0) await installWithNpm(inNpm, environment, run);
  for (const { variable, find } of [...servers, ...programs]) {
    const path = find();
    if (path) environment[variable] = path;
    else delete environment[variable];
  }
  for (const { name, variable } of needed) if (environment[variable]) console.log(`${name}: ${environment[variable]}`);
  return needed.filter(({ variable }) => !environment[variable]);
}

/** What a run without these leaves out, why, and how to get them: three lines. */
export function tellMissing(absent: readonly Server[], skipped: Readonly<Record<string, number>>): string[] {
  const names = absent.map(({ name }) => name).join(", ");
  const count = Object.values(skipped).reduce((total, each) => total + each, 0);
  const why = isDebianRoot() ? "their installation failed (see above)" : "they are not installed, and installing them takes root on Debian";
  const debian = aptPackagesOf(absent);
  const brew = absent.flatMap((each) => each.brew ?? []);
  const ways = [debian.length > 0 && `Debian: sudo apt-get install ${debian.join(" ")}`, brew.length > 0 && `macOS: brew install ${brew.join(" ")}`, npmPackagesOf(absent).length > 0 && "npm: run this again with the registry in reach"];
  return [`Left out: ${count} tests or suites that need ${names}.`, `Why: ${why}. With CI=true this would be a failure.`, `To run them too: ${ways.filter(Boolean).join("; ")}.`];
}

/** Not among the project's own packages: nobody who starts the service needs them. */
async function installWithNpm(packages: readonly string[], environment: NodeJS.ProcessEnv, run: Run): Promise<void> {
  mkdirSync(runtimeFolder, { recursive: true });
  const description = join(runtimeFolder, "package.json");
  if (!existsSync(description)) writeFileSync(description, '{ "private": true }\n');
  console.log(`Installing ${packages.join(" and ")} with npm …`);
  await run("npm", ["install", "--prefix", runtimeFolder, "--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts", ...packages], environment);
}

async function installWithApt(packages: readonly string[], environment: NodeJS.ProcessEnv, run: Run): Promise<void> {
  // Without this file Debian would start the servers as services, but the tests start their own.
  const servicePolicy = "/usr/sbin/policy-rc.d";
  const isOurPolicy = !existsSync(servicePolicy);
  if (isOurPolicy) writeFileSync(servicePolicy, "#!/bin/sh\nexit 101\n", { mode: 0o755 });
  const quietly = { ...environment, DEBIAN_FRONTEND: "noninteractive" };
  // Syncing every unpacked file protects a machine that loses power; here it only takes time.
  const install = (names: readonly string[]) => run("apt-get", ["install", "--quiet=2", "--yes", "--no-install-recommends", "-o", "Dpkg::Options::=--force-unsafe-io", ...names], quietly);
  try {
    console.log(`Installing ${packages.join(", ")} with apt-get …`);
    if (!(await run("apt-get", ["update", "--quiet=2"], quietly))) console.log("apt-get update failed; trying with the existing package lists …");
    // All at once takes a third of the time; one at a time, a missing package does not prevent the others.
    if (!(await install(packages))) for (const name of packages) await install([name]);
  } finally {
    if (isOurPolicy) rmSync(servicePolicy, { force: true });
  }
}
