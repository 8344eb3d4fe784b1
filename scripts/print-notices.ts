// Writes THIRD-PARTY-NOTICES.txt, the licences of all that the pages, the published packages and the image contain:
//   npm run notices                       writes the file
//   npm run notices -- --check            says what is missing or stale, and writes nothing
//   npm run notices -- --reference-page   first asks the registry what the script of the API reference contains
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Lock } from "./check-lock.ts";
import { collectNotices, findNoticeFaults } from "./notices/collect-notices.ts";
import { formatNotices } from "./notices/format-notices.ts";
import { listBundledPackages } from "./notices/list-bundled-packages.ts";
import { listImagePackages } from "./notices/list-image-packages.ts";
import { recordReferencePage, type ReferenceRecord, referencePackage, toNotices } from "./notices/reference-page.ts";

const root = dirname(import.meta.dirname);
const noticesFile = join(root, "THIRD-PARTY-NOTICES.txt");
const recordFile = join(root, "scripts", "notices", "reference-page.json");
const introduction = `Third-party notices

Assay's image, pages and API reference contain the packages listed here; their licences follow, each text once.
The SDK and the collector contain no code but Assay's own. The image's base (Debian and Node.js) carries its own
notices in /usr/share/doc and /usr/local/LICENSE. "npm run notices" writes this file.`;

const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as Lock;
const integrity = lock.packages[`node_modules/${referencePackage}`]?.integrity ?? "";

if (process.argv.includes("--reference-page")) {
  writeFileSync(recordFile, `${JSON.stringify(await recordReferencePage(root, integrity), null, 1)}\n`);
}
const record = JSON.parse(readFileSync(recordFile, "utf8")) as ReferenceRecord;
const { pages, published } = await listBundledPackages(root, lock);
/** The service's list of common passwords is made from it. */
const copied = ["node_modules/@zxcvbn-ts/language-common"];
const places = { image: [...listImagePackages(lock, "apps/api"), ...copied], pages };
const notices = collectNotices({ root, lock, places, others: toNotices(record, "API reference") });
const text = formatNotices(notices, introduction);

const faults = [
  ...(record.integrity === integrity ? [] : [`the record of the API reference is of another version of ${referencePackage}: run npm run notices -- --reference-page`]),
  ...published.map((path) => `${path} is bundled into the SDK or the collector, which promise to contain no other code`),
  ...findNoticeFaults(notices),
];
if (!process.argv.includes("--check")) writeFileSync(noticesFile, text);
else if (readFileSync(noticesFile, "utf8") !== text) faults.push("THIRD-PARTY-NOTICES.txt is stale: run npm run notices");
for (const fault of faults) console.log(fault);
if (faults.length > 0) process.exitCode = 1;
else console.log(`${notices.length} packages`);
