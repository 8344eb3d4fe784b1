import {
  graceHoursDefault,
  KeyItem,
  KeyParams,
  KeysReply,
  NewKeyReply,
  NewKeyRequest,
  RenameKeyRequest,
  RotateKeyReply,
  RotateKeyRequest,
} from "@assay/contract/dashboard/keys.ts";
import { issueKey } from "../../access/keys/issue-key.ts";
import { prefixOf } from "../../access/keys/key-format.ts";
import { keyStateOf } from "../../access/keys/key-state.ts";
import { renameKey, selectKeyOfAccount } from "../../access/keys/keys.table.ts";
import { type ListedKey, listKeys } from "../../access/keys/list-keys.ts";
import { revokeKey } from "../../access/keys/revoke-key.ts";
import { rotateKey } from "../../access/keys/rotate-key.ts";
import { Failure } from "../../failure/failure.ts";
import { isoTime, isoTimeOrNull, parseTime } from "../../formats/time.ts";
import type { TypedApp } from "../../http/typed-app.ts";
import type { SignedIn } from "../../people/require-sign-in.ts";
import { noteAction } from "../../register/audit.table.ts";
import type { DeveloperContext } from "./developer-context.ts";

/** Without the key and its hash. */
function describeKey(key: ListedKey, nowMs: number): KeyItem {
  const { state, revokedAtMs } = keyStateOf(key, nowMs);
  return {
    key_id: key.id,
    name: key.name,
    prefix: prefixOf[key.mode],
    last_four: key.last_four,
    mode: key.mode,
    state,
    created_at: isoTime(key.created_at),
    last_used_at: isoTimeOrNull(key.last_used_at),
    expires_at: isoTimeOrNull(key.expires_at),
    revoked_at: isoTimeOrNull(revokedAtMs),
    replaced_by: key.replaced_by,
    seen_in_browser_at: isoTimeOrNull(key.seen_in_browser_at),
  };
}

const unknownKey = () => new Failure("not_found", "No key of this account has this id.");

/** Calls cost and earn money, so a key needs a verified address. */
function refuseUnverified({ verified, status }: SignedIn): void {
  if (!verified) throw new Failure("forbidden", "Verify your e-mail address first: open the link in the verification mail.");
  if (status !== "active") throw new Failure("forbidden", "This account is suspended: it can be viewed, but not changed.");
}

function parseExpiry(text: string | undefined, nowMs: number): number | undefined {
  if (text === undefined) return undefined;
  const atMs = parseTime(text, "expires_at");
  if (atMs <= nowMs) throw new Failure("invalid_request", "expires_at must be in the future");
  return atMs;
}

export function addKeyRoutes(app: TypedApp, context: DeveloperContext): void {
  const { store, nowMs, authenticator, channel } = context;

  async function findKey(accountId: string, keyId: string) {
    const key = await selectKeyOfAccount(store.db, { accountId, keyId }).executeTakeFirst();
    if (!key) throw unknownKey();
    return key;
  }

  const describe = async (accountId: string, keyId: string) => describeKey(await findKey(accountId, keyId), nowMs());

  app.get("/keys", {
    schema: { hide: true, response: { 200: KeysReply } },
    async handler({ signedIn }) {
      const { keys, leavesOut } = await listKeys(store, { accountId: signedIn.accountId, nowMs: nowMs() });
      return { keys: keys.toReversed().map((key) => describeKey(key, nowMs())), older_left_out: leavesOut };
    },
  });
  app.post("/keys", {
    schema: { hide: true, body: NewKeyRequest, response: { 201: NewKeyReply } },
    async handler({ signedIn, body }, reply) {
      refuseUnverified(signedIn);
      const { accountId } = signedIn;
      const expiresAtMs = parseExpiry(body.expires_at, nowMs());
      const { keyId, key } = await issueKey(store, { accountId, actorAccountId: accountId, epoch: signedIn.epoch, mode: body.mode, name: body.name.trim(), nowMs: nowMs(), expiresAtMs });
      return reply.code(201).send({ api_key: key, key: await describe(accountId, keyId) });
    },
  });
  app.patch("/keys/:key_id", {
    schema: { hide: true, params: KeyParams, body: RenameKeyRequest, response: { 200: KeyItem } },
    async handler({ signedIn: { accountId }, params, body }) {
      const note = { actorAccountId: accountId, action: "key.rename", subject: params.key_id, accountId, detail: {}, nowMs: nowMs() };
      const rename = renameKey(store.db, { accountId, keyId: params.key_id, name: body.name.trim() });
      await store.write([rename, noteAction(store.db, note)], { guards: 1 });
      return describe(accountId, params.key_id);
    },
  });
  app.post("/keys/:key_id/rotate", {
    schema: { hide: true, params: KeyParams, body: RotateKeyRequest, response: { 201: RotateKeyReply } },
    async handler({ signedIn, params, body }, reply) {
      const { accountId } = signedIn;
      const { key_hash: oldHash } = await findKey(accountId, params.key_id);
      refuseUnverified(signedIn);
      const graceHours = body.grace_hours ?? graceHoursDefault;
      const outcome = await rotateKey(store, { accountId, epoch: signedIn.epoch, keyId: params.key_id, graceHours, nowMs: nowMs(), channel });
      if (outcome.kind === "unknown_key") throw unknownKey();
      if (outcome.kind === "not_active") throw new Failure("invalid_request", "This key was already rotated or revoked, or has expired. Create a new one.");
      // Drops the key from this node's cache; the other nodes follow within half a second.
      authenticator.forget(`key:${oldHash}`);
      const [key, oldKey] = [await describe(accountId, outcome.keyId), await describe(accountId, params.key_id)];
      return reply.code(201).send({ api_key: outcome.key, key, old_key: oldKey });
    },
  });
  app.delete("/keys/:key_id", {
    schema: { hide: true, params: KeyParams, response: { 200: KeyItem } },
    async handler({ signedIn: { accountId }, params }) {
      const { key_hash: keyHash } = await findKey(accountId, params.key_id);
      await revokeKey(store, { keyId: params.key_id, actorAccountId: accountId, nowMs: nowMs(), channel });
      authenticator.forget(`key:${keyHash}`);
      return describe(accountId, params.key_id);
    },
  });
}
