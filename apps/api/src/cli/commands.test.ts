import type { StatementReply } from "@assay/contract/usage.ts";
import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { makeCampaign } from "../../test/ads/serving/make-campaign.ts";
import { describeBothStores, type TestDatabase } from "../../test/both-stores.ts";
import { type Assay, assayOn } from "../../test/cli/run-assay.ts";
import { predict, send } from "../../test/send.ts";
import { makeTestFolder } from "../../test/start-service.ts";
import { hasToken } from "../ads/conversions/campaign-token.ts";
import { readVersion } from "../operations/read-version.ts";
import { hashAtOnce, isPassword } from "../people/hash-password.ts";
import { buildProgram, commandsUnder, pathOf } from "./program.ts";

type AccountJson = { id: string; email: string; tier: string; status: string; verified: boolean; operator: boolean; created_at: string };
type KeyJson = { api_key: string; id: string; name: string; mode: string };
type ListedKeyJson = { id: string; name: string; mode: string; key: string; last_four: string; status: string };

describeBothStores("the command line", (open) => {
  let database: TestDatabase;
  let assay: Assay;

  before(async () => {
    database = await open();
    assay = assayOn(database);
  });

  const createAccount = (email: string, ...more: string[]) =>
    assay.json<AccountJson>("account", "create", "--email", email, "--tier", "starter", ...more);

  it("takes an account from its creation to a statement that equals the ledger", async () => {
    const account = await createAccount("First@Example.com", "--verified");
    assert.match(account.id, /^acct_/);
    assert.deepEqual(
      { email: account.email, tier: account.tier, status: account.status, verified: account.verified, operator: account.operator },
      { email: "first@example.com", tier: "Starter", status: "active", verified: true, operator: false },
    );
    assert.equal(new Date(account.created_at).toISOString(), account.created_at);
    const live = await assay.json<KeyJson>("key", "create", "--email", account.email, "--name", "server");
    const test = await assay.json<KeyJson>("key", "create", "--email", account.email, "--name", "server", "--test");
    assert.match(live.api_key, /^assay_live_/);
    assert.match(test.api_key, /^assay_test_/);

    const service = await database.serve();
    for (const key of [live, live, live, test]) assert.equal((await predict(service, key.api_key)).status, 200);

    const statement = await assay.json<StatementReply>("statement", "--email", account.email);
    assert.equal(statement.calls, 3);
    assert.equal(statement.gross_usd, 0.15);
    assert.equal(statement.developer_usd, 0.102);
    assert.equal(statement.platform_usd, 0.048);
    assert.equal(statement.balance_usd, 0.102);
    const served = await send(service, `/api/statements/${statement.month}`, { headers: { "x-api-key": live.api_key } });
    assert.deepEqual(statement, { email: account.email, ...served.json() });
    const before2026 = await assay.json<StatementReply>("statement", "--email", account.email, "--month", "2025-12");
    assert.equal(before2026.calls, 0);

    const report = await assay.json<{ audit: { ok: boolean } }>("ledger", "verify");
    assert.deepEqual({ ...report, audit: undefined, log: undefined }, { entries: 3, accounts: 1, ok: true, breaks: [], audit: undefined, log: undefined });
    assert.equal(report.audit.ok, true);
    await service.stop();
  });

  it("lists accounts, keys and statements as JSON and as text, and never shows a key twice", async () => {
    await createAccount("listed@example.com", "--verified", "--operator");
    const { api_key: key } = await assay.json<KeyJson>("key", "create", "--email", "listed@example.com", "--name", "shown");
    const accounts = await assay.json<AccountJson[]>("account", "list");
    assert.ok(accounts.some(({ email, operator }) => email === "listed@example.com" && operator));
    const keys = await assay.json<ListedKeyJson[]>("key", "list", "--email", "listed@example.com");
    assert.deepEqual(
      keys.map(({ name, mode, last_four: lastFour, status }) => ({ name, mode, lastFour, status })),
      [{ name: "shown", mode: "live", lastFour: key.slice(-4), status: "active" }],
    );
    const texts = await Promise.all([
      assay.run("account", "list"),
      assay.run("key", "list", "--email", "listed@example.com"),
      assay.run("statement", "--email", "listed@example.com"),
      assay.run("ledger", "verify"),
    ]);
    for (const { code, stdout, stderr } of texts) {
      assert.equal(code, 0);
      assert.equal(stderr, "");
      assert.notEqual(stdout, "");
      assert.ok(!stdout.includes(key), "a key was shown a second time");
    }
  });

  it("creates no key for an unverified or suspended account", async () => {
    await createAccount("unverified@example.com");
    assert.match(await assay.refusal("key", "create", "--email", "unverified@example.com", "--name", "n"), /not verified/);
    await createAccount("idle@example.com", "--verified");
    await assay.json("account", "suspend", "--email", "idle@example.com");
    assert.match(await assay.refusal("key", "create", "--email", "idle@example.com", "--name", "n"), /is suspended/);
  });

  it("revokes a key by its id, or by its name if it is unique", async () => {
    const email = "revoker@example.com";
    await createAccount(email, "--verified");
    const first = await assay.json<KeyJson>("key", "create", "--email", email, "--name", "twin");
    const second = await assay.json<KeyJson>("key", "create", "--email", email, "--name", "twin");
    assert.match(await assay.refusal("key", "revoke", "--email", email, "--name", "twin"), new RegExp(`${first.id}, ${second.id}`));
    assert.match(await assay.refusal("key", "revoke", "--email", email, "--name", "none"), /no key called "none"/);
    assert.match(await assay.refusal("key", "revoke", "key_unknown"), /no key has the id key_unknown/);
    assert.match(await assay.refusal("key", "revoke"), /say which key/);
    assert.match(await assay.refusal("key", "revoke", first.id, "--email", email, "--name", "twin"), /say which key/);
    const outcomeOf = async (...words: string[]) => {
      const { id, outcome } = await assay.json<{ id: string; outcome: string }>("key", "revoke", ...words);
      return { id, outcome };
    };
    assert.deepEqual(await outcomeOf(first.id), { id: first.id, outcome: "revoked" });
    assert.deepEqual(await outcomeOf("--id", first.id), { id: first.id, outcome: "already_revoked" });
    assert.deepEqual(await outcomeOf("--email", email, "--name", "twin"), { id: second.id, outcome: "revoked" });
    const keys = await assay.json<ListedKeyJson[]>("key", "list", "--email", email);
    assert.deepEqual(keys.map(({ status }) => status), ["revoked", "revoked"]);
  });

  it("sets the given password, or generates one and prints it", async () => {
    const email = "forgetful@example.com";
    await createAccount(email, "--password", "chosen by hand");
    const storedHash = async () => {
      const accounts = database.store.db.selectFrom("accounts").select("password_hash").where("email", "=", email);
      return (await accounts.executeTakeFirstOrThrow()).password_hash ?? "";
    };
    assert.ok(await hashAtOnce(async (turn) => isPassword(turn, "chosen by hand", await storedHash())));
    const made = await assay.json<{ password: string }>("account", "reset-password", "--email", email);
    assert.ok(await hashAtOnce(async (turn) => isPassword(turn, made.password, await storedHash())));
    const given = await assay.json<object>("account", "reset-password", "--email", email, "--password", "another by hand");
    assert.ok(!("password" in given));
    assert.ok(await hashAtOnce(async (turn) => isPassword(turn, "another by hand", await storedHash())));
    assert.match(await assay.refusal("account", "reset-password", "--email", email, "--password", "short"), /8 to 128/);
  });

  it("makes a campaign's token, by name or id, and reports conversions", async () => {
    const { campaignId } = await makeCampaign(database.store, { name: "Tokened" });
    const byName = await assay.json<{ id: string; name: string; token: string }>("campaign", "token", "tokened");
    assert.deepEqual([byName.id, byName.name], [campaignId, "Tokened"]);
    const byId = await assay.json<{ token: string }>("campaign", "token", campaignId);
    assert.notEqual(byId.token, byName.token);
    assert.deepEqual([await hasToken(database.store, campaignId, byName.token), await hasToken(database.store, campaignId, byId.token)], [false, true]);
    assert.match(await assay.refusal("campaign", "token", "camp_none"), /no campaign is called/);
    const reports = await assay.json<{ name: string; conversions: number; conversions_by_developer: unknown[] }[]>("campaign", "report");
    const { conversions, conversions_by_developer: byDeveloper } = reports.find(({ name }) => name === "Tokened")!;
    assert.deepEqual([conversions, byDeveloper], [0, []]);
  });

  it("adds and changes tiers, and moves accounts between them", async () => {
    const limits = ["--per-hour", "7", "--per-minute", "3", "--share-bps", "6950"];
    const tier = { name: "Gold", per_hour: 7, per_minute: 3, share_bps: 6_950 };
    assert.deepEqual(await assay.json("tier", "set", "Gold", ...limits), tier);
    assert.deepEqual(await assay.json("tier", "set", "gOLD", ...limits.with(1, "9")), { ...tier, per_hour: 9 });
    const tiers = await assay.json<{ name: string }[]>("tier", "list");
    assert.deepEqual(tiers.map(({ name }) => name), ["Gold", "Starter", "Growth", "Scale"]);
    await createAccount("climber@example.com");
    const moved = await assay.json<AccountJson>("account", "set-tier", "--email", "climber@example.com", "--tier", "gold");
    assert.equal(moved.tier, "Gold");
  });

  it("suspends and resumes accounts, and says when there is nothing to change", async () => {
    const email = "paused@example.com";
    await createAccount(email);
    const suspended = await assay.json<AccountJson>("account", "suspend", "--email", email);
    assert.equal(suspended.status, "suspended");
    assert.match((await assay.run("account", "suspend", "--email", email)).stdout, /is already suspended/);
    assert.equal((await assay.json<AccountJson>("account", "resume", "--email", email)).status, "active");
  });

  it("refuses invalid requests with one clear line", async () => {
    await createAccount("taken@example.com");
    const refusals: [RegExp, string[]][] = [
      [/taken/, ["account", "create", "--email", "TAKEN@example.com", "--tier", "Starter"]],
      [/not an e-mail address/, ["account", "create", "--email", "nobody", "--tier", "Starter"]],
      [/no tier is called "Gem"; there are .*Starter, Growth, Scale/, ["account", "create", "--email", "new@example.com", "--tier", "Gem"]],
      [/no tier is called "Gem"/, ["account", "set-tier", "--email", "taken@example.com", "--tier", "Gem"]],
      [/no account .* gone@example.com/, ["account", "set-tier", "--email", "gone@example.com", "--tier", "Scale"]],
      [/no account .* gone@example.com/, ["account", "suspend", "--email", "gone@example.com"]],
      [/no account .* gone@example.com/, ["account", "resume", "--email", "gone@example.com"]],
      [/no account .* gone@example.com/, ["account", "reset-password", "--email", "gone@example.com"]],
      [/no account .* gone@example.com/, ["key", "create", "--email", "gone@example.com", "--name", "n"]],
      [/no account .* gone@example.com/, ["key", "list", "--email", "gone@example.com"]],
      [/no account .* gone@example.com/, ["key", "revoke", "--email", "gone@example.com", "--name", "n"]],
      [/no account .* gone@example.com/, ["statement", "--email", "gone@example.com"]],
      [/no account .* gone@example.com/, ["ledger", "export", "--email", "gone@example.com"]],
      [/"2026-13" is not a month/, ["statement", "--email", "taken@example.com", "--month", "2026-13"]],
      [/a key's name/, ["key", "create", "--email", "taken@example.com", "--name", " "]],
    ];
    for (const [expected, words] of refusals) assert.match(await assay.refusal(...words), expected);
  });

  it("works while other commands run", async () => {
    const emails = Array.from({ length: 4 }, (_, index) => `together-${index}@example.com`);
    await Promise.all(emails.map((email) => createAccount(email, "--verified")));
    const accounts = await assay.json<AccountJson[]>("account", "list");
    for (const email of emails) assert.ok(accounts.some((account) => account.email === email));
  });
});

describe("the command line's usage", () => {
  const dataDir = makeTestFolder();
  const assay = assayOn({ dataDir });

  it("prints its version, which is the service's", async () => {
    assert.deepEqual(await assay.spawn("--version"), { code: 0, stdout: `${readVersion()}\n`, stderr: "" });
  });

  it("lists every command on one line of its help, and gives each an example", async () => {
    const { code, stdout } = await assay.spawn("--help");
    assert.equal(code, 0);
    const list = stdout.slice(stdout.indexOf("Commands:"), stdout.indexOf("Example:"));
    const lines = list.split("\n").slice(1).filter((line) => line !== "");
    const commands = commandsUnder(buildProgram());
    assert.deepEqual(lines.map((line) => line.trim().split(/ {2,}/)[0]), commands.map(pathOf));
    for (const command of commands) {
      let help = "";
      command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
      assert.match(help, /--json/);
      assert.ok(help.includes(`Example:\n  npm run -s assay -- ${pathOf(command)}`), `${pathOf(command)} has no example`);
    }
  });

  it("refuses wrong usage without touching the store", async () => {
    const limits = ["--per-hour", "7", "--per-minute", "3", "--share-bps", "6900"];
    const wrong: [RegExp, string[]][] = [
      [/unknown command 'frobnicate'/, ["frobnicate"]],
      [/--tier/, ["account", "create", "--email", "a@example.com"]],
      [/--per-hour.*1e3.*whole number/, ["tier", "set", "Gold", ...limits.with(1, "1e3")]],
      [/--per-minute.*0.*whole number from 1/, ["tier", "set", "Gold", ...limits.with(3, "0")]],
      [/--share-bps.*6799.*from 6800 to 7000/, ["tier", "set", "Gold", ...limits.with(5, "6799")]],
      [/--share-bps.*7001.*from 6800 to 7000/, ["tier", "set", "Gold", ...limits.with(5, "7001")]],
      [/'\*' is invalid.*letter or digit/, ["tier", "set", "*", ...limits]],
    ];
    for (const [expected, words] of wrong) assert.match(await assay.refusal(...words), expected);
  });

  it("names an invalid setting in one line", async () => {
    const withSetting = (env: Record<string, string>) => assayOn({ dataDir, env }).refusal("migrate");
    assert.match(await withSetting({ DATABASE_URL: "nonsense" }), /^DATABASE_URL is not an address/);
    const secret = { SECRET_KEY: "a-secret-that-only-tests-have-seen" };
    assert.match(await withSetting({ DATABASE_URL: "postgres://127.0.0.1:1/none", ...secret }), /^DATABASE_URL: .*ECONNREFUSED/);
    assert.match(await withSetting({ DATABASE_URL: "postgres://127.0.0.1:1/none" }), /^SECRET_KEY is required/);
    assert.match(await withSetting({ DATA_DIR: "/dev/null/data" }), /^DATA_DIR .* cannot be written to/);
  });

  it("migrates an empty store once", async () => {
    const fresh = assayOn({ dataDir: makeTestFolder() });
    const plan = await fresh.json<{ pending: { name: string; on_large_tables: string }[] }>("migrate", "--dry-run");
    const first = await fresh.json<{ store: string; migrated: string[] }>("migrate");
    assert.deepEqual(plan.pending.map(({ name }) => name), first.migrated, "the dry run lists the migrations and runs none");
    assert.equal(first.store, "sqlite");
    assert.ok(first.migrated.length > 0);
    assert.deepEqual(await fresh.json("migrate"), { store: "sqlite", migrated: [] });
  });
});
