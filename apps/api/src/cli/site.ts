import { snippetOf } from "@assay/contract/dashboard/site-snippet.ts";
import { siteNameLengthMax } from "@assay/contract/dashboard/site-limits.ts";
import type { Command } from "commander";
import { readOrigins } from "../attestation/sites/describe-site.ts";
import { createSite, removeSite } from "../attestation/sites/manage-sites.ts";
import { parseOrigins } from "../attestation/sites/parse-origins.ts";
import { collectorUrlOf } from "../attestation/sites/collector-url.ts";
import { selectAllSites, selectSite, selectSitesOfAccount, type ShownSite } from "../attestation/sites/sites.table.ts";
import { readConfig } from "../config.ts";
import { Failure, type FailureCode } from "../failure/failure.ts";
import { isoTime, isoTimeOrNull } from "../formats/time.ts";
import { addressOf } from "../http/listening-address.ts";
import { selectEmails } from "../register/accounts.table.ts";
import type { Store } from "../store/store.ts";
import { defineCommand, defineFamily, type JsonOption } from "./define-command.ts";
import { findAccount } from "./find-account.ts";
import { pairLines, printJson, printLines, printRows, shortTime } from "./print.ts";
import { Refusal } from "./refusal.ts";
import { withStore } from "./with-store.ts";

/** What a person can do something about. */
const refusals: ReadonlySet<FailureCode> = new Set(["invalid_request", "not_found", "forbidden"]);

const withSites = <Result>(work: (opened: { store: Store; nowMs: number }) => Promise<Result>): Promise<Result> =>
  withStore((opened) =>
    work(opened).catch((error: Error) => {
      throw error instanceof Failure && refusals.has(error.code) ? new Refusal(error.message) : error;
    }),
  );

function checkName(name: string): void {
  if (name.trim() !== "" && name.length <= siteNameLengthMax && !/\p{Cc}/u.test(name)) return;
  throw new Refusal(`a site's name has 1 to ${siteNameLengthMax} characters on one line`);
}

/** Without PUBLIC_URL: where a service with these settings listens. */
const scriptUrl = (): string => {
  const config = readConfig();
  return collectorUrlOf(config.publicUrl ?? addressOf(config));
};

async function runCreate(options: JsonOption & { email: string; origin: string[]; name?: string }): Promise<void> {
  const { email, origin: given } = options;
  if (options.name !== undefined) checkName(options.name);
  const { siteId, origins, name } = await withSites(async ({ store, nowMs }) => {
    const { id: accountId, status, verified_at: verifiedAt, email: address } = await findAccount(store, email);
    if (verifiedAt === null) throw new Refusal(`the address ${address} is not verified yet: only verified accounts can have sites`);
    if (status !== "active") throw new Refusal(`the account ${address} is ${status}`);
    const called = options.name?.trim() ?? new URL(parseOrigins(given)[0]!).host.slice(0, siteNameLengthMax);
    return { ...(await createSite(store, { accountId, actorAccountId: null, name: called, origins: given, nowMs })), name: called };
  });
  const script = scriptUrl();
  const snippet = snippetOf({ scriptUrl: script, siteId });
  if (options.json) return printJson({ site_id: siteId, name, origins, script, snippet });
  return printLines([...pairLines({ Site: siteId, Name: name, Origins: origins.join(" ") }), "", snippet, "", "This line goes into every page; /signals stands for an address of the site's own server."]);
}

type ListedSite = ShownSite & { owner: string };

async function nameOwners(store: Store, sites: readonly ShownSite[]): Promise<ListedSite[]> {
  const accountIds = [...new Set(sites.map(({ account_id: accountId }) => accountId))];
  const rows = accountIds.length === 0 ? [] : await selectEmails(store.db, accountIds).execute();
  const emails = new Map(rows.map(({ id, email }) => [id, email]));
  return sites.map((site) => ({ ...site, owner: emails.get(site.account_id) ?? site.account_id }));
}

const describeListed = ({ owner, ...site }: ListedSite) => ({
  site_id: site.id,
  owner,
  name: site.name,
  origins: readOrigins(site),
  created_at: isoTime(site.created_at),
  last_seen_at: isoTimeOrNull(site.last_seen_at),
});

async function runList(options: JsonOption & { email?: string }): Promise<void> {
  const { email } = options;
  await withSites(async ({ store }) => {
    const accountId = email === undefined ? undefined : (await findAccount(store, email)).id;
    const readPage = async (page: { afterId: string; limit: number }) =>
      nameOwners(store, await (accountId === undefined ? selectAllSites(store.db, page) : selectSitesOfAccount(store.db, accountId)).execute());
    await printRows(readPage, {
      json: options.json === true,
      describe: describeListed,
      header: ["Site", "Owner", "Created", "Last seen", "Name", "Origins"],
      cellsOf: ({ owner, ...site }) => [site.id, owner, shortTime(site.created_at), shortTime(site.last_seen_at), site.name, readOrigins(site).join(" ")],
    });
  });
}

async function runRemove(siteId: string, options: JsonOption): Promise<void> {
  await withSites(async ({ store, nowMs }) => {
    const site = await selectSite(store.db, siteId).executeTakeFirst();
    if (!site) throw new Refusal(`no site has the id ${siteId}`);
    await removeSite(store, { siteId, accountId: site.account_id, actorAccountId: null, nowMs });
  });
  return options.json ? printJson({ site_id: siteId, removed: true }) : printLines([`${siteId} is removed: its pages attest no more sessions.`]);
}

const addOrigin = (origin: string, earlier: string[] | undefined): string[] => [...(earlier ?? []), origin];

export function addSiteCommands(program: Command): void {
  const family = defineFamily(program, { name: "site", summary: "sites whose pages attest sessions" });
  defineCommand(family, {
    name: "create",
    summary: "create a site and print the line for its pages",
    example: 'site create --email dev@example.com --origin https://shop.example --origin https://www.shop.example --name "My shop"',
  })
    .requiredOption("--email <address>", "the account's e-mail address")
    .requiredOption("--origin <origin>", "of pages that may attest sessions, such as https://shop.example; can be repeated", addOrigin)
    .option("--name <text>", "what the dashboard calls it; the first origin's host if left out")
    .action(runCreate);
  defineCommand(family, { name: "list", summary: "list sites with their origins", example: "site list --email dev@example.com" })
    .option("--email <address>", "of one account")
    .action(runList);
  defineCommand(family, { name: "remove", summary: "remove a site: its pages attest no more sessions", example: "site remove site_4fKq2ZpX8mNwR7bTcY1s" })
    .argument("<site>", "its id, as site list shows it")
    .action(runRemove);
}
