import { sitesMax } from "@assay/contract/dashboard/site-limits.ts";
import { Failure } from "../../failure/failure.ts";
import { randomBase62 } from "../../ids/time-ordered-id.ts";
import { noteAction } from "../../register/audit.table.ts";
import type { Store } from "../../store/store.ts";
import type { CreateOutcome, NewSite } from "./create-site.work.ts";
import { parseOrigins } from "./parse-origins.ts";
import { changeSite as updateSite, markSiteDeleted, selectSite } from "./sites.table.ts";

/** `actorAccountId`: null for the command line. */
type Asked = { accountId: string; actorAccountId: string | null; nowMs: number };
export type OfSite = Asked & { siteId: string };

const createWork = new URL("./create-site.work.ts", import.meta.url);
const idLength = 20;

export const unknownSite = () => new Failure("not_found", "No site of this account has this id.");

const refusals: Record<Exclude<CreateOutcome, "created">, string> = {
  not_verified: "Verify your e-mail address first: open the link in the verification mail.",
  not_active: "Only an active account can have sites.",
  too_many_sites: `An account can have at most ${sitesMax} sites. Delete one first.`,
};

/** The id is random and tells nothing about the account or the time: pages show it to everybody. */
export async function createSite(store: Store, { name, origins: given, ...asked }: Asked & { name: string; origins: readonly string[] }): Promise<{ siteId: string; origins: string[] }> {
  const origins = parseOrigins(given);
  const siteId = `site_${randomBase62(idLength)}`;
  const outcome = await store.transact<NewSite, CreateOutcome>(createWork, { ...asked, siteId, name: name.trim(), origins });
  if (outcome !== "created") throw new Failure("forbidden", refusals[outcome]);
  return { siteId, origins };
}

/** Running nodes follow within seconds. Sessions that began before stay valid. */
export async function changeSite(store: Store, { name, origins, ...named }: OfSite & { name?: string | undefined; origins?: readonly string[] | undefined }): Promise<void> {
  const { siteId, accountId, actorAccountId, nowMs } = named;
  const change = { ...(name !== undefined && { name: name.trim() }), ...(origins !== undefined && { origins: JSON.stringify(parseOrigins(origins)) }) };
  const changed = Object.keys(change);
  if (changed.length === 0) throw new Failure("invalid_request", "Say what to change: name or origins.");
  const present = await selectSite(store.db, siteId).executeTakeFirst();
  if (present?.account_id !== accountId) throw unknownSite();
  // What is so already is neither written nor noted.
  if ((change.name ?? present.name) === present.name && (change.origins ?? present.origins) === present.origins) return;
  const note = noteAction(store.db, { actorAccountId, action: "site.changed", subject: siteId, accountId, detail: { changed }, nowMs });
  const [rows] = await store.write([updateSite(store.db, { siteId, accountId, ...change, nowMs }), note], { guards: 1 });
  if (rows !== 1) throw unknownSite();
}

/** Its counts are deleted with it, two days later. */
export async function removeSite(store: Store, { siteId, accountId, actorAccountId, nowMs }: OfSite): Promise<void> {
  const note = noteAction(store.db, { actorAccountId, action: "site.deleted", subject: siteId, accountId, detail: {}, nowMs });
  const [rows] = await store.write([markSiteDeleted(store.db, { siteId, accountId, nowMs }), note], { guards: 1 });
  if (rows !== 1) throw unknownSite();
}
