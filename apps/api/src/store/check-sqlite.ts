import type { DatabaseSync } from "node:sqlite";
import { errcodeOf, isDamage } from "./sqlite-trouble.ts";

const problemsMax = 20;

/** "quick" checks every page and row; "whole" also compares each index with its table. */
type CheckDepth = "quick" | "whole";

function findDamage(database: DatabaseSync, depth: CheckDepth): string[] {
  const pragma = depth === "whole" ? "integrity_check" : "quick_check";
  try {
    const found = database.prepare(`PRAGMA ${pragma}(${problemsMax})`).all();
    return found.map((row) => String(Object.values(row)[0])).filter((line) => line !== "ok");
  } catch (error) {
    // Too damaged to be checked.
    if (isDamage(errcodeOf(error))) return [(error as Error).message];
    throw error;
  }
}

function findOrphans(database: DatabaseSync): string[] {
  const statement = database.prepare(`SELECT "table" AS name, parent, count(*) AS rows FROM pragma_foreign_key_check GROUP BY 1, 2 LIMIT ${problemsMax}`);
  const found = statement.all() as { name: string; parent: string; rows: number }[];
  return found.map(({ name, parent, rows }) => `${rows} rows of ${name} refer to missing rows of ${parent}`);
}

/** Each chain must end at its head. money/ledger/verify-ledger.ts checks the chain itself. */
function findStrayHeads(database: DatabaseSync): string[] {
  const statement = database.prepare(
    `SELECT h.account_id AS id FROM ledger_heads h
     LEFT JOIN ledger_entries e ON e.account_id = h.account_id AND e.seq = h.seq
     WHERE (h.seq > 0 AND (e.hash IS NULL OR e.hash <> h.hash))
       OR EXISTS (SELECT 1 FROM ledger_entries l WHERE l.account_id = h.account_id AND l.seq > h.seq)
     LIMIT ${problemsMax}`,
  );
  return (statement.all() as { id: string }[]).map(({ id }) => `the chain of ${id} does not end at its head`);
}

/** Describes what is wrong with a database file; empty if nothing is. Works on any version of the schema. */
export function findProblems(database: DatabaseSync, depth: CheckDepth): string[] {
  const damage = findDamage(database, depth);
  // In a damaged file the other checks are not reliable.
  return damage.length > 0 ? damage : [...findOrphans(database), ...findStrayHeads(database)];
}
