// Writes src/types.ts from packages/contract, so that the published package says the contract's types
// without depending on it:  node packages/sdk/scripts/print-types.ts
import { writeFileSync } from "node:fs";
import { printTypes } from "./types-of-contract.ts";

writeFileSync(new URL("../src/types.ts", import.meta.url), printTypes());
