import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { it } from "node:test";
import { gunzipSync } from "node:zlib";
import { makeTestFolder } from "../../../test/start-service.ts";
import { migrateSqlite } from "../migrate.ts";

const fixture = new URL("../../../test/fixtures/store-0.1.0/assay.sqlite.gz", import.meta.url);

/** Emails of the accounts that are marked after the upgrade of a store of version 0.1.0. */
function upgrade(change: string): unknown[] {
  const path = join(makeTestFolder(), "assay.sqlite");
  writeFileSync(path, gunzipSync(readFileSync(fixture)));
  const before = new DatabaseSync(path);
  before.exec(change);
  before.close();
  migrateSqlite(path, Date.UTC(2026, 0, 1));
  const after = new DatabaseSync(path);
  try {
    return after.prepare("SELECT email FROM accounts WHERE at_first_start = 1").all().map(({ email }) => email);
  } finally {
    after.close();
  }
}

it("an upgrade marks the developer of the first start, and nobody who took that address later [threat: ssrf-loopback]", () => {
  const address = (email: string, to = "developer@localhost") => `UPDATE accounts SET email = '${to}' WHERE email = '${email}'`;
  assert.deepEqual(upgrade("SELECT 1"), []);
  assert.deepEqual(upgrade(address("developer@example.com")), ["developer@localhost"]);
  assert.deepEqual(upgrade(address("operator@example.com")), [], "an operator is not that developer");
  const later = "INSERT INTO accounts SELECT 'acct_zzz', 'developer@localhost', password_hash, tier, status, verified_at, 0, demo, created_at, house_ads, session_retention_days FROM accounts LIMIT 1";
  assert.deepEqual(upgrade(later), []);
});
