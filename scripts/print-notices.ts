// Writes THIRD-PARTY-NOTICES.txt, the licences of all that the pages, the published packages and the image contain:
//   npm run notices              writes the file
//   npm run notices -- --check   says what is missing or stale, and writes nothing
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Lock } from "./check-lock.ts";
import { collectNotices, findNoticeFaults } from "./notices/collect-notices.ts";
import { formatNotices } from "./notices/format-notices.ts";
import { listBundledPackages } from "./notices/list-bundled-packages.ts";
import { listImagePackages } from "./notices/list-image-packages.ts";

const root = dirname(import.meta.dirname);
const noticesFile = join(root, "THIRD-PARTY-NOTICES.txt");
const introduction = `Third-party notices

Assay's image and pages contain the packages listed here; their licences follow, each text once.
The SDK and the collector contain no code but Assay's own. The image's base (Debian and Node.js) carries its own
notices in /usr/share/doc and /usr/local/LICENSE. "npm run notices" writes this file.`;

const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as Lock;
const { pages, published } = await listBundledPackages(root, lock);
/** The service's list of common passwords is made from it. */
const copied = ["node_modules/@zxcvbn-ts/language-common"];
const places = { image: [...listImagePackages(lock, "apps/api"), ...copied], pages };
const notices = collectNotices({ root, lock, places });
const text = formatNotices(notices, introduction);

const faults = [
  ...published.map((path) => `${path} is bundled into the SDK or the collector, which promise to contain no other code`),
  ...findNoticeFaults(notices),
];
if (!process.argv.includes("--check")) writeFileSync(noticesFile, text);
else if (readFileSync(noticesFile, "utf8") !== text) faults.push("THIRD-PARTY-NOTICES.txt is stale: run npm run notices");
for (const fault of faults) console.log(fault);
if (faults.length > 0) process.exitCode = 1;
else console.log(`${notices.length} packages`);
