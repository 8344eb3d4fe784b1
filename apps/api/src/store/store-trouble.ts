import { isStoreOutOfReach } from "./store-out-of-reach.ts";
import { Failure, overloadedText } from "../failure/failure.ts";

/** A store that cannot be asked just now is a reason to come again, not an error of ours. Undefined for anything else. */
export const storeTroubleOf = (error: unknown): Failure | undefined =>
  isStoreOutOfReach(error) ? new Failure("overloaded", overloadedText, `the store is out of reach: ${error.message}`, { cause: error }) : undefined;
