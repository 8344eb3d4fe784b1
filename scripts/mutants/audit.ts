import type { Mutant } from "./mutant.ts";

const chainTest = "apps/api/src/register/audit-chain.test.ts";
const routesTest: Mutant["killedBy"] = [
  "apps/api/test/authorization.test.ts",
  "lets those who may do all of it, and notes every change of money, tier, status, key or setting in the audit log [threat: unnoted-change]",
];
const commandsTest: Mutant["killedBy"] = ["apps/api/test/noted-commands.test.ts", "notes what it changed, whose it is, and which operator did it [threat: unnoted-change]"];

export const auditMutants: readonly Mutant[] = [
  {
    name: "the hash of an audit row leaves out the account",
    file: "apps/api/src/store/audit-chain.ts",
    from: 'action.account_id ?? "",',
    to: '"",',
    killedBy: [chainTest, "covers every field of every row, from one writer and from a closed write, a transaction and a statement alike"],
  },
  {
    name: "two PostgreSQL nodes chain audit rows without a lock",
    file: "apps/api/src/store/migrations/0010-audit-chain.ts",
    from: "PERFORM 1 FROM audit_head FOR UPDATE;",
    to: "PERFORM 1 FROM audit_head;",
    killedBy: [chainTest, "has no gap and no fork when two nodes write at once, also where a write fails halfway"],
    needs: "postgres",
  },
  {
    name: "an audit row may be changed once it is chained",
    file: "apps/api/src/store/migrations/0010-audit-chain.ts",
    from: "OLD.hash IS NULL AND NEW.hash IS NOT NULL",
    to: "NEW.hash IS NOT NULL",
    killedBy: [chainTest, "refuses to change, unchain, delete or replace a row, and a line feed in a field [threat: changed-audit]"],
  },
  {
    name: "chaining an audit row may change what it says",
    file: "apps/api/src/store/migrations/0010-audit-chain.ts",
    from: '"action", "subject", "detail"];',
    to: '"action", "subject"];',
    killedBy: [chainTest, "takes in what an older version writes beside it, with a row that only it can still be given: its place"],
  },
  {
    name: "audit rows of an older version stay out of the chain",
    file: "apps/api/src/store/migrate.ts",
    from: "      chainOldOnSqlite(database);\n",
    to: "",
    killedBy: [chainTest, "is chained at the first start, in the order of its ids, with the account of each payout"],
  },
  {
    name: "verification does not compare the end of the audit log",
    file: "apps/api/src/register/verify-audit.ts",
    from: "if (last.seq !== seq || last.hash !== hash)",
    to: "if (last.seq > seq)",
    killedBy: [chainTest, "finds that the last row was deleted [threat: changed-audit]"],
  },
  {
    name: "ledger verify is content with a broken audit log",
    file: "apps/api/src/money/ledger/verify-ledger.ts",
    from: "  report.audit = await verifyAudit(store, (seq, problem) => {\n    report.ok = false;",
    to: "  report.audit = await verifyAudit(store, (seq, problem) => {",
    killedBy: ["apps/api/src/cli/ledger.test.ts", "verifies the audit log too, and prints the hash of its last row, which the operator may keep [threat: changed-audit]"],
  },
  {
    name: "a transaction may go on after its note",
    file: "apps/api/src/people/change-status.work.ts",
    from: "  for (const statement of announceChange(tx.db, { subject: `account:${accountId}`, nowMs })) await tx.change(statement);\n  await tx.change(noteAction(tx.db, { actorAccountId, action, subject: accountId, detail: { reason }, nowMs }));\n",
    to: "  await tx.change(noteAction(tx.db, { actorAccountId, action, subject: accountId, detail: { reason }, nowMs }));\n  for (const statement of announceChange(tx.db, { subject: `account:${accountId}`, nowMs })) await tx.change(statement);\n",
    killedBy: routesTest,
  },
  {
    name: "the console's revocation of a key names nobody",
    file: "apps/api/src/console/developer/keys.route.ts",
    from: "keyId: params.key_id, actorAccountId: accountId, nowMs: nowMs(), channel",
    to: "keyId: params.key_id, nowMs: nowMs(), channel",
    killedBy: routesTest,
  },
  {
    name: "a changed setting is not noted",
    file: "apps/api/src/console/developer/settings.route.ts",
    from: '    noteAction(db, { actorAccountId: accountId, action: "account.settings", subject: accountId, detail: change, nowMs: context.nowMs() }),\n',
    to: "",
    killedBy: routesTest,
  },
  {
    name: "a key that is revoked already is noted again",
    file: "apps/api/src/access/keys/revoke-key.ts",
    from: "store.write(statements, { firstIsGuard: true })",
    to: "store.write(statements)",
    killedBy: commandsTest,
  },
  {
    name: "a tier set by command is not noted",
    file: "apps/api/src/people/change-account.ts",
    from: '...announceChange(store.db, { subject: "*", nowMs }), noteAction(store.db, note)]',
    to: '...announceChange(store.db, { subject: "*", nowMs })]',
    killedBy: commandsTest,
  },
  {
    name: "the audit log's filter ignores the account",
    file: "apps/api/src/register/audit.table.ts",
    from: 'if (accountId !== undefined) query = query.where("account_id", "=", accountId);',
    to: "",
    killedBy: ["apps/api/src/console/operator/audit.test.ts", "filters by actor, action, account and time, by address or by id"],
  },
];
