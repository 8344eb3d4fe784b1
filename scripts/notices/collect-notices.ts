import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { licenceOf, type Lock, nameOf, splitLicence } from "../check-lock.ts";
import { exceptions } from "./exceptions.ts";
import type { Notice } from "./format-notices.ts";
import { readLicenceTexts } from "./read-licence-texts.ts";

/** What may be handed on inside our image and pages: with its notice, and for the LGPL as a library that can be replaced. */
const allowedLicences = new Set(["0BSD", "Apache-2.0", "BlueOak-1.0.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "LGPL-3.0-or-later", "MIT", "MIT-0", "OFL-1.1", "Unlicense"]);

const platform = /-(?:linux|linuxmusl|darwin|win32)-(?:x64|arm64)$/;
const familyOf = (name: string): string => name.replace(platform, "");

/** The folder of the package, or that of the same package for this machine's platform: their texts are the same. */
function findFolder(root: string, path: string): string {
  const folder = join(root, path);
  const parent = join(folder, "..");
  if (existsSync(folder) || !platform.test(path) || !existsSync(parent)) return folder;
  const sibling = readdirSync(parent).find((name) => join(path, "..", familyOf(name)) === familyOf(path));
  return sibling === undefined ? folder : join(parent, sibling);
}

type Collected = { root: string; lock: Lock; places: Readonly<Record<string, readonly string[]>> };

/** One notice per name and version, with the text that the package ships or that exceptions.ts lists. */
export function collectNotices({ root, lock, places }: Collected): Notice[] {
  const installed = Object.entries(places).flatMap(([place, paths]) =>
    paths.map((path): Notice => {
      const { version = "", license } = lock.packages[path] ?? {};
      const name = nameOf(path);
      return { name, version, licence: licenceOf(name, license), places: [place], texts: readLicenceTexts(findFolder(root, path)) };
    }),
  );
  const byTitle = Map.groupBy(installed, ({ name, version }) => `${familyOf(name)}@${version}`);
  return [...byTitle].flatMap(([title, same]) => {
    const texts = exceptions[title]?.texts ?? same.find((each) => each.texts.length > 0)?.texts ?? [];
    return [...Map.groupBy(same, ({ name }) => name).values()].map((copies) => ({ ...copies[0]!, places: [...new Set(copies.flatMap((each) => each.places))], texts }));
  });
}

export function findNoticeFaults(notices: readonly Notice[]): string[] {
  const titles = new Set(notices.map(({ name, version }) => `${familyOf(name)}@${version}`));
  return [
    ...notices.filter(({ texts }) => texts.length === 0).map(({ name, version }) => `${name} ${version} ships no licence text: add it to scripts/notices/exceptions.ts`),
    ...notices.flatMap(({ name, version, licence }) => splitLicence(licence).filter((each) => !allowedLicences.has(each)).map((each) => `${name} ${version} has the licence ${each}, which is not allowed in what we hand on`)),
    ...Object.keys(exceptions).filter((title) => !titles.has(title)).map((title) => `scripts/notices/exceptions.ts lists ${title}, which is not shipped`),
  ];
}
