// Every server client, and how its built package is installed.
import * as go from "../go/prepare.ts";
import * as java from "../java/prepare.ts";
import * as php from "../php/prepare.ts";
import * as python from "../python/prepare.ts";
import * as typescript from "../typescript/prepare.ts";
import type { Prepared } from "./adapter.ts";

export type Language = {
  name: string;
  /** Installs the package into the empty folder. */
  prepare: (folder: string) => Promise<Prepared>;
  /** Why it cannot be tested here; false: it can. */
  whySkipped: () => string | false;
};

export const languages: readonly Language[] = [
  { name: "TypeScript", prepare: typescript.prepare, whySkipped: () => false },
  { name: "Python", prepare: (folder) => python.prepare(folder), whySkipped: python.whySkipped },
  { name: "Go", prepare: go.prepare, whySkipped: go.whySkipped },
  { name: "PHP", prepare: php.prepare, whySkipped: php.whySkipped },
  { name: "Java", prepare: java.prepare, whySkipped: java.whySkipped },
];
