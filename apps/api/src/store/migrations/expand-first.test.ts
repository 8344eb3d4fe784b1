import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { migrations } from "./list.ts";
import type { Dialect, Migration } from "./migration.ts";

/** The last migration from before the rule. */
const ruleAfter = 21;
const changelog = readFileSync(new URL("../../../../../CHANGELOG.md", import.meta.url), "utf8");
const releases = new Set([...changelog.matchAll(/^## \[(\d+\.\d+\.\d+)\]/gm)].map(([, version]) => version!));

/** What the previous version's code, which is still running or started again, would trip over. Comments and text in quotes do not count. */
const removals = [
  /\bDROP\s+(?!INDEX\b|TRIGGER\b|NOT\s+NULL\b|DEFAULT\b|CONSTRAINT\b)/i,
  /\bRENAME\b/i,
  /\bSET\s+NOT\s+NULL\b/i,
  /\bALTER\s+COLUMN\s+\S+\s+(SET\s+DATA\s+)?TYPE\b/i,
  /\bADD\s+COLUMN\b(?=[^,;]*\bNOT\s+NULL\b)(?![^,;]*\bDEFAULT\b)/i,
  /\bTRUNCATE\b/i,
  /\bREVOKE\b/i,
];

const codeOf = (sql: string): string => sql.replaceAll(/--[^\n]*/g, "").replaceAll(/'(?:[^']|'')*'/g, "''");

function problemsOf({ name, kind, unusedSince, statements }: Migration): string[] {
  if (kind === "contract") return unusedSince !== undefined && releases.has(unusedSince) ? [] : [`${name}: unusedSince names no release of CHANGELOG.md`];
  const sql = (["sqlite", "postgres"] satisfies Dialect[]).flatMap((dialect) => statements(dialect).map(codeOf));
  return removals.filter((removal) => sql.some((each) => removal.test(each))).map((removal) => `${name}: an expand must not ${removal.source}`);
}

describe("from 0022 on a migration", () => {
  it("expands, or names the release that stopped using what it removes", () => {
    assert.equal(migrations[ruleAfter - 1]?.name, "0021-calibrations");
    assert.deepEqual(migrations.slice(ruleAfter).flatMap(problemsOf), []);
  });

  const expand = (sql: string): Migration => ({ name: "9001-next", kind: "expand", onLargeTables: "Nothing.", statements: () => [sql] });

  it("that removes something is not taken for an expand", () => {
    for (const sql of [
      "ALTER TABLE clicks DROP COLUMN at",
      "DROP TABLE clicks",
      "DROP FUNCTION charge_calls_1",
      "ALTER TABLE clicks RENAME COLUMN at TO clicked_at",
      "ALTER TABLE clicks ALTER COLUMN at SET NOT NULL",
      "ALTER TABLE clicks ALTER COLUMN at TYPE TEXT",
      "ALTER TABLE clicks ADD COLUMN place TEXT NOT NULL",
    ]) {
      assert.equal(problemsOf(expand(sql)).length, 1, sql);
    }
  });

  it("that adds is one", () => {
    for (const sql of ["CREATE TABLE more (id TEXT NOT NULL)", "ALTER TABLE clicks ADD COLUMN place TEXT", "ALTER TABLE clicks ADD COLUMN n BIGINT NOT NULL DEFAULT 0", "ALTER TABLE clicks ALTER COLUMN at DROP NOT NULL"]) {
      assert.deepEqual(problemsOf(expand(sql)), [], sql);
    }
  });

  it("that contracts needs a release that exists", () => {
    const contract = { ...expand("DROP TABLE clicks"), kind: "contract" } as const;
    assert.equal(problemsOf(contract).length, 1);
    assert.equal(problemsOf({ ...contract, unusedSince: "99.0.0" }).length, 1);
    assert.deepEqual(problemsOf({ ...contract, unusedSince: [...releases][0]! }), []);
  });
});
