// Every server client, and how its built package is installed.
import * as typescript from "../typescript/prepare.ts";
import type { Prepared } from "./adapter.ts";

export type Language = {
  name: string;
  /** Installs the package into the empty folder. */
  prepare: (folder: string) => Promise<Prepared>;
  /** Why it cannot be tested here; false: it can. */
  whySkipped: () => string | false;
};

export const languages: readonly Language[] = [{ name: "TypeScript", prepare: typescript.prepare, whySkipped: () => false }];
