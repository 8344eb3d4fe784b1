import { readFileSync } from "node:fs";

const folder = new URL("../../../../../deploy/ha/", import.meta.url);

/** A file of deploy/ha/ with these texts replaced. Each must occur exactly as often as it is to be replaced: once, if not said otherwise. */
export function adaptHaExample(name: string, replacements: readonly (readonly [string, string, number?])[]): string {
  let text = readFileSync(new URL(name, folder), "utf8");
  for (const [from, to, times = 1] of replacements) {
    const found = text.split(from).length - 1;
    if (found !== times) throw new Error(`deploy/ha/${name} contains ${from} ${found} times`);
    text = text.replaceAll(from, to);
  }
  return text;
}
