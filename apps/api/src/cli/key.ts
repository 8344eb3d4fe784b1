import type { Command } from "commander";
import { issueKey } from "../access/keys/issue-key.ts";
import { maskedKey } from "../access/keys/key-format.ts";
import { selectKeysNamed } from "../access/keys/keys.table.ts";
import { type ListedKey, listKeys } from "../access/keys/list-keys.ts";
import { revokeKey } from "../access/keys/revoke-key.ts";
import { isoTime, isoTimeOrNull } from "../formats/time.ts";
import type { Store } from "../store/store.ts";
import { defineCommand, defineFamily, type JsonOption } from "./define-command.ts";
import { type Account, findAccount } from "./find-account.ts";
import { pairLines, printJson, printLines, shortTime, tableLines } from "./print.ts";
import { Refusal } from "./refusal.ts";
import { withChannel, withStore } from "./with-store.ts";

const nameLengthMax = 100;
/** Named in a refusal at most. */
const namesakesMax = 20;

function checkName(name: string): void {
  if (name.trim() !== "" && name.length <= nameLengthMax && !/\p{Cc}/u.test(name)) return;
  throw new Refusal(`a key's name has 1 to ${nameLengthMax} characters on one line`);
}

function checkMayHaveKeys(account: Account): void {
  if (account.verified_at === null) {
    throw new Refusal(`the address ${account.email} is not verified yet: only verified accounts can have keys`);
  }
  if (account.status !== "active") throw new Refusal(`the account ${account.email} is ${account.status}`);
}

function statusOf(key: ListedKey, nowMs: number): "active" | "expired" | "revoked" {
  if (key.revoked_at !== null) return "revoked";
  return key.expires_at !== null && key.expires_at <= nowMs ? "expired" : "active";
}

async function runCreate(options: JsonOption & { email: string; name: string; test?: true }): Promise<void> {
  const { name, email } = options;
  checkName(name);
  const mode = options.test ? "test" : "live";
  const { keyId, key, createdMs } = await withStore(async ({ store, nowMs }) => {
    const account = await findAccount(store, email);
    checkMayHaveKeys(account);
    return { ...(await issueKey(store, { accountId: account.id, mode, name, nowMs })), createdMs: nowMs };
  });
  if (options.json) return printJson({ api_key: key, id: keyId, name, mode, created_at: isoTime(createdMs) });
  return printLines([
    ...pairLines({ Key: key, Id: keyId, Name: name, Mode: mode }),
    "The key is shown only once: just its hash is stored.",
  ]);
}

const describeKey = (key: ListedKey, nowMs: number) => ({
  id: key.id,
  name: key.name,
  mode: key.mode,
  key: maskedKey(key.mode, key.last_four),
  last_four: key.last_four,
  status: statusOf(key, nowMs),
  created_at: isoTime(key.created_at),
  last_used_at: isoTimeOrNull(key.last_used_at),
  expires_at: isoTimeOrNull(key.expires_at),
  revoked_at: isoTimeOrNull(key.revoked_at),
});

async function runList(options: JsonOption & { email: string }): Promise<void> {
  const { keys, leavesOut, readMs } = await withStore(async ({ store, nowMs }) => {
    const account = await findAccount(store, options.email);
    return { ...(await listKeys(store, { accountId: account.id, nowMs })), readMs: nowMs };
  });
  if (options.json) return printJson(keys.map((key) => describeKey(key, readMs)));
  const rows = keys.map((key) => [
    key.id,
    maskedKey(key.mode, key.last_four),
    statusOf(key, readMs),
    shortTime(key.created_at),
    shortTime(key.last_used_at),
    shortTime(key.expires_at),
    key.name,
  ]);
  const left = leavesOut ? ["There are older keys, which no longer work."] : [];
  return printLines([...tableLines(["Id", "Key", "Status", "Created", "Last used", "Expires", "Name"], rows), ...left]);
}

/** The id of the key with this name. Revoked keys count only when no other has the name. */
async function findKeyId(store: Store, { email, name }: { email: string; name: string }): Promise<string> {
  const account = await findAccount(store, email);
  const named = await selectKeysNamed(store.db, { accountId: account.id, name, limit: namesakesMax }).execute();
  const working = named.filter((key) => key.revoked_at === null).toReversed();
  const [key, ...others] = working.length > 0 ? working : named.slice(0, 1);
  if (!key) throw new Refusal(`${account.email} has no key called "${name}"`);
  if (others.length > 0) {
    throw new Refusal(`several keys are called "${name}": give one of the ids ${working.map(({ id }) => id).join(", ")}`);
  }
  return key.id;
}

type RevokeOptions = JsonOption & { id?: string; email?: string; name?: string };

/** Either an id, or an e-mail address with a name. */
function parseKeyChoice(idArgument: string | undefined, options: RevokeOptions): { keyId: string } | { email: string; name: string } {
  const { email, name } = options;
  const keyId = idArgument ?? options.id;
  if (keyId !== undefined && email === undefined && name === undefined) return { keyId };
  if (keyId === undefined && email !== undefined && name !== undefined) return { email, name };
  throw new Refusal("say which key: either its id, or --email with --name");
}

async function runRevoke(idArgument: string | undefined, options: RevokeOptions): Promise<void> {
  const choice = parseKeyChoice(idArgument, options);
  const { keyId, outcome } = await withChannel(async ({ store, nowMs, channel }) => {
    const found = "keyId" in choice ? choice.keyId : await findKeyId(store, choice);
    return { keyId: found, outcome: await revokeKey(store, { keyId: found, nowMs, channel }) };
  });
  if (outcome === "unknown_key") throw new Refusal(`no key has the id ${keyId}`);
  const line = `${keyId} is ${outcome === "revoked" ? "now" : "already"} revoked.`;
  await (options.json ? printJson({ id: keyId, status: "revoked", outcome }) : printLines([line]));
}

export function addKeyCommands(program: Command): void {
  const family = defineFamily(program, { name: "key", summary: "API keys" });
  defineCommand(family, {
    name: "create",
    summary: "create a key for a verified account; shown once",
    example: 'key create --email dev@example.com --name "My server"',
  })
    .requiredOption("--email <address>", "the account's e-mail address")
    .requiredOption("--name <text>", "what the key is for")
    .option("--test", "a test key: real scores, no charge, no revenue")
    .action(runCreate);
  defineCommand(family, { name: "list", summary: "list an account's keys, masked", example: "key list --email dev@example.com" })
    .requiredOption("--email <address>", "the account's e-mail address")
    .action(runList);
  defineCommand(family, {
    name: "revoke",
    summary: "refuse a key permanently, on every node",
    example: 'key revoke --email dev@example.com --name "My server"',
  })
    .argument("[key-id]", "the key's id, as key list shows it")
    .option("--id <key-id>", "the same as [key-id]")
    .option("--email <address>", "the account's e-mail address, with --name instead of an id")
    .option("--name <text>", "the key's name, if it is unique")
    .action(runRevoke);
}
