// Prints the SQL that every query function of the *.table.ts files makes, for both databases, into
// docs/sql/, so that a change of a query shows in its diff.
//   npm run sql              writes the files
//   npm run sql -- --check   fails when a file is stale, missing or left over
import { globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import type * as accounts from "../apps/api/src/accounts/accounts.table.ts";
import type * as tiers from "../apps/api/src/accounts/tiers.table.ts";
import type * as ledger from "../apps/api/src/billing/ledger.table.ts";
import type * as keys from "../apps/api/src/keys/keys.table.ts";
import type * as keepStore from "../apps/api/src/operations/keep-store.table.ts";
import type * as sessions from "../apps/api/src/sessions/sessions.table.ts";
import type * as traffic from "../apps/api/src/traffic/traffic.table.ts";
import { compileOnly } from "../apps/api/src/store/compile-only.ts";

type Db = (typeof compileOnly)["sqlite"];
type Statement = { compile(): { sql: string } };
type QueryFunction = (db: Db, ...rest: unknown[]) => Statement | Statement[];

/** The arguments after the database, for each query function of a module: the compiler misses none. */
type SamplesOf<Module> = {
  [Name in keyof Module as Module[Name] extends (db: Db, ...rest: never[]) => unknown ? Name : never]: Module[Name] extends (
    db: Db,
    ...rest: infer Rest
  ) => unknown
    ? Rest
    : never;
};

const root = dirname(import.meta.dirname);
const sourceFolder = join(root, "apps", "api", "src");
const printedFolder = join(root, "docs", "sql");

const accountId = "acct_sample";
const nowMs = 1_767_225_600_000;
const span = { accountId, fromMs: nowMs, toMs: nowMs + 3_600_000 };

const samples: Record<string, Record<string, unknown[]>> = {
  "accounts/accounts.table.ts": {
    insertAccount: [
      {
        id: accountId,
        email: "sample@example.com",
        password_hash: null,
        tier: "Starter",
        status: "active",
        verified_at: null,
        operator: 0,
        demo: 0,
        created_at: nowMs,
      },
    ],
    selectAccountByEmail: ["sample@example.com"],
    selectAccounts: [{ afterId: "", limit: 500 }],
    countAccounts: [],
    setAccountTier: [{ accountId, tier: "Growth" }],
    moveAccountStatus: [{ accountId, from: "active", to: "suspended" }],
    setPasswordHash: [{ accountId, passwordHash: "salt:key" }],
  } satisfies SamplesOf<typeof accounts>,
  "accounts/tiers.table.ts": {
    selectTiers: [],
    selectTierByName: ["Starter"],
    upsertTier: [{ name: "Starter", per_hour: 1_000, per_minute: 50, share_bps: 6_800 }],
  } satisfies SamplesOf<typeof tiers>,
  "billing/ledger.table.ts": {
    openChain: [{ accountId, nowMs }],
    selectHead: [accountId],
    selectHeads: [{ afterId: "", limit: 500 }],
    selectEntries: [{ accountId, afterSeq: 0, limit: 2_000 }],
    selectNextAccountWithEntries: ["acct_1"],
    selectRollupsOfAccount: [accountId],
    sumCallsByRate: [span],
    sumCallsByTime: [{ ...span, bucketMs: 3_600_000 }],
  } satisfies SamplesOf<typeof ledger>,
  "keys/keys.table.ts": {
    selectCallerByHash: ["hash"],
    insertKey: [
      {
        id: "key_sample",
        account_id: accountId,
        mode: "live",
        name: "sample",
        key_hash: "hash",
        last_four: "abcd",
        created_at: nowMs,
        last_used_at: null,
        expires_at: null,
        revoked_at: null,
      },
    ],
    selectKeysOfAccount: [accountId],
    selectKeyById: ["key_sample"],
    revokeKeyById: [{ keyId: "key_sample", nowMs }],
    touchKey: [{ keyId: "key_sample", atMs: nowMs }],
    announceChange: [{ subject: "key:hash", nowMs }],
    selectEpoch: [],
    selectChangesAfter: [{ seq: 0, limit: 1_000 }],
    deleteChangesBefore: [nowMs],
  } satisfies SamplesOf<typeof keys>,
  "operations/keep-store.table.ts": {
    deleteRecordsBefore: [{ id: "sess_sample", limit: 1_000 }],
    deleteOutcomesBefore: [{ id: "sess_sample", limit: 1_000 }],
    deleteHoursBefore: [{ hourMs: nowMs, limit: 1_000 }],
    deleteAnswersBefore: [{ atMs: nowMs, limit: 1_000 }],
    deleteBatchesBefore: [nowMs],
  } satisfies SamplesOf<typeof keepStore>,
  "sessions/sessions.table.ts": {
    selectSession: [{ accountId, sessionId: "sess_sample" }],
    insertOutcome: [{ accountId, sessionId: "sess_sample", outcome: "genuine", nowMs }],
    selectLatestOutcomes: [{ accountId, mode: "live", limit: 2_000, before: { at: nowMs, session_id: "sess_sample", seq: 1 } }],
  } satisfies SamplesOf<typeof sessions>,
  "traffic/traffic.table.ts": {
    selectLatestSessions: [{ accountId, fromId: "sess_1", toId: "sess_2", limit: 2_000 }],
    selectHours: [{ ...span, limit: 48 }],
    insertHours: [[{ account_id: accountId, hour: nowMs, summary: "{}" }]],
    selectActiveAccounts: [{ sinceMs: nowMs, afterId: "acct_1", limit: 500 }],
    selectHoursToSum: [span],
  } satisfies SamplesOf<typeof traffic>,
};

const databaseNames = { sqlite: "SQLite", postgres: "PostgreSQL" } as const;

const clauseStart =
  /(?<!^delete) (?=(?:from|(?:inner|left) join|where|group by|order by|limit|values|on conflict|returning|union(?: all)?) )/g;

/** Kysely writes one line; a clause a line is easier to compare. */
const layOut = (statement: Statement): string => `${statement.compile().sql.replaceAll(clauseStart, "\n  ")};`;

function printFunction(name: string, query: QueryFunction, rest: unknown[]): string {
  const parts = (["sqlite", "postgres"] as const).map((dialect) => {
    const result = query(compileOnly[dialect], ...rest);
    const statements = Array.isArray(result) ? result : [result];
    return `-- ${databaseNames[dialect]}\n${statements.map(layOut).join("\n")}\n`;
  });
  return `-- ${name}\n\n${parts.join("\n")}`;
}

async function printTableFile(file: string): Promise<string> {
  const module = (await import(pathToFileURL(join(sourceFolder, file)).href)) as Record<string, unknown>;
  const known = samples[file] ?? {};
  const functions = Object.entries(module).filter(([, value]) => typeof value === "function");
  const gone = Object.keys(known).filter((name) => typeof module[name] !== "function");
  const missing = functions.map(([name]) => name).filter((name) => !known[name]);
  if (missing.length > 0) throw new Error(`scripts/print-sql.ts has no sample arguments for ${missing.join(", ")} of ${file}`);
  if (gone.length > 0) throw new Error(`scripts/print-sql.ts has sample arguments for ${gone.join(", ")}, which ${file} does not export`);
  // In the order of the source: a module lists its exports by name.
  const source = readFileSync(join(sourceFolder, file), "utf8");
  const placeOf = (name: string): number => source.search(new RegExp(`export (async )?(function|const) ${name}\\b`));
  const sorted = functions.toSorted(([one], [other]) => placeOf(one) - placeOf(other));
  const head = `-- Made by "npm run sql" from apps/api/src/${file}; do not edit.\n`;
  return [head, ...sorted.map(([name, query]) => printFunction(name, query as QueryFunction, known[name]!))].join("\n");
}

/** `billing/ledger.table.ts` is printed into `billing-ledger.sql`. */
const printedNameOf = (file: string): string => `${file.replace(/\.table\.ts$/, "").replaceAll(/[/\\]/g, "-")}.sql`;

async function printAll(): Promise<Map<string, string>> {
  const files = globSync("**/*.table.ts", { cwd: sourceFolder }).toSorted();
  if (files.length === 0) throw new Error("no *.table.ts file was found");
  const gone = Object.keys(samples).filter((file) => !files.includes(file));
  if (gone.length > 0) throw new Error(`scripts/print-sql.ts has samples for files that are gone: ${gone.join(", ")}`);
  const printed = new Map<string, string>();
  for (const file of files) printed.set(printedNameOf(file), await printTableFile(file));
  return printed;
}

function readPrinted(): Map<string, string> {
  mkdirSync(printedFolder, { recursive: true });
  const names = readdirSync(printedFolder).filter((name) => name.endsWith(".sql"));
  return new Map(names.map((name) => [name, readFileSync(join(printedFolder, name), "utf8")]));
}

const shown = (name: string): string => relative(root, join(printedFolder, name));

async function main(): Promise<void> {
  const wanted = await printAll();
  const present = readPrinted();
  const stale = [...wanted].filter(([name, text]) => present.get(name) !== text).map(([name]) => name);
  const leftOver = [...present.keys()].filter((name) => !wanted.has(name));
  if (process.argv.includes("--check")) {
    if (stale.length + leftOver.length === 0) return;
    for (const name of stale) console.log(`${shown(name)} is not what its queries make`);
    for (const name of leftOver) console.log(`${shown(name)} belongs to no *.table.ts file`);
    console.log("Run: npm run sql");
    process.exitCode = 1;
    return;
  }
  for (const name of stale) {
    writeFileSync(join(printedFolder, name), wanted.get(name)!);
    console.log(`${shown(name)} written`);
  }
  for (const name of leftOver) {
    rmSync(join(printedFolder, name));
    console.log(`${shown(name)} removed`);
  }
  if (stale.length + leftOver.length === 0) console.log("docs/sql is up to date.");
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
