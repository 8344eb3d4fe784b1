import { startOfDay } from "../../formats/time.ts";
import { anyCategory } from "../auction/click-rate.ts";

/** Stands for all names beyond the bounds below. No caller can send it: parentheses are not allowed in a name. */
export const otherCategory = "(other)";

/** What the auction learns from a stored category: a name that is not kept counts as none. */
export const learntCategory = (stored: string): string => (stored === otherCategory ? anyCategory : stored);

/** Callers choose category names freely. These bound how many rows of click rates and of reports they can create per node. */
const namesMax = 1_000;
const namesPerAccountMax = 50;
/** Names of accounts, for all accounts of a day: what this may occupy in memory. */
const pairsMax = 50_000;

type Wanted = {
  accountId: string;
  /** As requested, or empty. */
  category: string;
  /** The category that the auction learns this one under. It has few, all of them bounded by the operator or by what it has seen most. */
  known: string;
  atMs: number;
};

export type CategoryNames = {
  /** The name to store and to report: as requested, or `otherCategory`. */
  nameToStore(wanted: Wanted): string;
};

export function createCategoryNames(): CategoryNames {
  const names = new Map<string, string>();
  let day = 0;
  let ofAccounts = new Map<string, Set<string>>();
  let pairs = 0;

  /** The first names of each account and day are kept. */
  function isKept(accountId: string, name: string): boolean {
    let own = ofAccounts.get(accountId);
    if (own?.has(name)) return true;
    if (pairs >= pairsMax || (own && own.size >= namesPerAccountMax)) return false;
    if (!own) ofAccounts.set(accountId, (own = new Set()));
    own.add(name);
    pairs += 1;
    return true;
  }

  return {
    nameToStore({ accountId, category, known, atMs }) {
      if (category === known) return category;
      if (startOfDay(atMs) > day) {
        day = startOfDay(atMs);
        ofAccounts = new Map();
        pairs = 0;
      }
      // One text for all accounts that use the name.
      let name = names.get(category);
      if (name === undefined) {
        if (names.size >= namesMax) return otherCategory;
        name = category;
      }
      if (!isKept(accountId, name)) return otherCategory;
      names.set(name, name);
      return name;
    },
  };
}
