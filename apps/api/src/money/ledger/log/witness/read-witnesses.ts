import { parsePolicy } from "@assay/tlog/policy.ts";
import { TlogError } from "@assay/tlog/tlog-error.ts";
import { readFileSync } from "node:fs";
import type { Witness } from "./ask-witnesses.ts";

const witnessesMax = 32;

/** The witnesses in the file, or one line that says what is wrong with it. */
export async function readWitnesses(file: string): Promise<Witness[] | string> {
  try {
    const { witnesses } = await parsePolicy(readFileSync(file, "utf8"));
    if (witnesses.length > witnessesMax) return `${file} lists more than ${witnessesMax} witnesses`;
    const unreachable = witnesses.find(({ url }) => url === undefined);
    if (unreachable) return `${file} has no address for the witness ${unreachable.name}`;
    return witnesses.map(({ name, key, url }) => ({ name, key, url: url! }));
  } catch (error) {
    if (error instanceof TlogError) return `${file}: ${error.message}`;
    return `${file} cannot be read (${(error as NodeJS.ErrnoException).code})`;
  }
}
