// Which tests run when. A test's lane is in its name:
//   *.test.ts        `npm test` and `npm test -- --all`
//   *.all.test.ts    `npm test -- --all` only
//   *.fault.test.ts  `npm test -- --all` only, after all others: these kill, cut, fill and overload
// apps/api/test/both-stores.ts says which tests for both stores use PostgreSQL in `npm test`.
import { readFileSync } from "node:fs";
import { join } from "node:path";

export const isFault = (file: string): boolean => file.endsWith(".fault.test.ts");
export const isEveryday = (file: string): boolean => !isFault(file) && !file.endsWith(".all.test.ts");

/** In a test file, with the reason: `// A process of its own: it counts what the garbage collector frees.` */
const ownProcess = /^\/\/ A process of its own: ./m;
const filesPerProcess = 12;

/** Browsers and compilers take long enough that the start of a process does not matter. */
const isLong = (file: string): boolean => !isEveryday(file) || /^(apps\/dashboard\/e2e|clients|examples)\//.test(file);

/** Divides test files among processes: neighbours share one, long ones and those that ask for it have their own and come first. */
export function groupFiles(root: string, files: readonly string[]): string[][] {
  const isAlone = (file: string): boolean => isLong(file) || ownProcess.test(readFileSync(join(root, file), "utf8"));
  const alone = files.filter(isAlone).map((file) => [file]);
  const shared = files.filter((file) => !isAlone(file));
  const count = Math.ceil(shared.length / filesPerProcess);
  const groups = Array.from({ length: count }, (_, index) => shared.slice(index * filesPerProcess, (index + 1) * filesPerProcess));
  return [...alone, ...groups];
}
