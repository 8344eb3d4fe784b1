import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { clientVersion } from "@assay/contract/client-packages.ts";
import { runOrFail } from "../../packages/sdk/src/testing/run-program.ts";
import { writePhpPackage } from "../../scripts/clients/build-clients.ts";
import type { Prepared } from "../conformance/adapter.ts";
import { buildOnce, identify } from "../conformance/build-once.ts";

export const php = process.env.ASSAY_TEST_PHP ?? "/usr/bin/php";
export const composer = process.env.ASSAY_TEST_COMPOSER ?? "/usr/bin/composer";

export function whySkipped(): string | false {
  if (!existsSync(php)) return `there is no ${php}: install php-cli and php-curl, or set ASSAY_TEST_PHP`;
  return existsSync(composer) ? false : `there is no ${composer}: install composer, or set ASSAY_TEST_COMPOSER`;
}

/** What Composer keeps stays in the folder. Root may run it: the package has no scripts. */
export const composerEnv = (folder: string): NodeJS.ProcessEnv => ({ PATH: process.env.PATH, HOME: folder, COMPOSER_HOME: join(folder, ".composer"), COMPOSER_ALLOW_SUPERUSER: "1" });

/** Builds the package and installs it into the empty folder, from a repository as installations serve it. */
export async function installPackage(folder: string): Promise<void> {
  const served = join(folder, "served");
  writePhpPackage(join(served, "clients"));
  const index = join(served, "clients", "php", "packages.json");
  writeFileSync(index, readFileSync(index, "utf8").replaceAll("{{address}}", pathToFileURL(served).href));
  const repository = { type: "composer", url: pathToFileURL(join(served, "clients", "php")).href };
  writeFileSync(join(folder, "composer.json"), JSON.stringify({ repositories: [repository, { "packagist.org": false }], require: { "assay/client": "0.1.0" } }));
  const inputs = [identify(php), identify(composer), readFileSync(join(served, "clients", "php", `assay-php-${clientVersion}.zip`))];
  await buildOnce(folder, { name: "php", inputs }, async (empty) => {
    await runOrFail(php, [composer, "install", "--no-interaction", "--quiet"], { cwd: folder, env: composerEnv(folder) });
    cpSync(join(folder, "vendor"), join(empty, "vendor"), { recursive: true });
  });
}

export async function prepare(folder: string): Promise<Prepared> {
  await installPackage(folder);
  cpSync(join(import.meta.dirname, "conformance", "adapter.php"), join(folder, "adapter.php"));
  // Every notice of PHP is an error: a warning on standard output would not be JSON.
  return { program: php, args: ["-d", "error_reporting=-1", "-d", "display_errors=stderr", "adapter.php"], cwd: folder, env: { PATH: process.env.PATH } };
}
