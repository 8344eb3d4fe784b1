import { copyFileSync, cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeTestFolder } from "../../start-service.ts";

const root = new URL("../../../../../", import.meta.url).pathname;

/** Adds a column to the busiest partitioned table and an index to another, as a release would while the old version serves. */
const migration = `
  {
    name: "9999-next-version",
    kind: "expand",
    onLargeTables: "The column has no default, and the index is built while calls go on.",
    statements: () => ["ALTER TABLE session_records ADD COLUMN added_by_next_version TEXT"],
    indexes: [{ name: "ledger_entries_by_next_version", table: "ledger_entries", columns: "account_id, kind" }],
  },
];
`;

let made: string | undefined;

/** A copy of the source with one more migration. Returns the copy's `apps/api/src`. */
export function makeNextVersion(): string {
  if (made !== undefined) return made;
  const folder = makeTestFolder();
  const source = join(folder, "apps", "api", "src");
  mkdirSync(join(folder, "apps", "api"), { recursive: true });
  for (const name of ["packages", "node_modules", "apps/dashboard"]) symlinkSync(join(root, name), join(folder, name));
  for (const name of ["package.json", "apps/api/package.json"]) copyFileSync(join(root, name), join(folder, name));
  cpSync(join(root, "apps", "api", "src"), source, { recursive: true, filter: (path) => !path.endsWith(".test.ts") });
  // The program that the nodes run, which imports the source next to it.
  const rig = join("apps", "api", "test", "faults", "rig");
  mkdirSync(join(folder, rig), { recursive: true });
  copyFileSync(join(root, rig, "rigged-node.ts"), join(folder, rig, "rigged-node.ts"));
  const list = join(source, "store", "migrations", "list.ts");
  const before = readFileSync(list, "utf8");
  if (!before.endsWith("},\n];\n")) throw new Error("store/migrations/list.ts does not end with the list of migrations");
  writeFileSync(list, before.slice(0, -"\n];\n".length) + migration);
  made = source;
  return made;
}
