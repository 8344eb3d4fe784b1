import type { Mutant } from "./mutant.ts";

const wing = "apps/api/src/attestation";
const table = `${wing}/sites/sites.table.ts`;
const originsTest = `${wing}/sites/parse-origins.test.ts`;
const manageTest = `${wing}/sites/manage-sites.test.ts`;
const keptTest = `${wing}/delete-old-attestation.test.ts`;
const refused = "are refused with the reason and the place of the value";
const limit = "number at most fifty per account, however many are created at once on two nodes";
const closing = "apps/api/src/people/close-account.test.ts";

export const attestationSitesMutants: readonly Mutant[] = [
  {
    name: "a site's origin may contain an encoded wildcard",
    file: `${wing}/sites/parse-origins.ts`,
    from: "  if (!host.test(url.hostname))",
    to: '  if (given.includes("*") || /\\.\\.|\\.$/.test(url.hostname))',
    killedBy: [originsTest, refused],
  },
  {
    name: "a site's origin may use http off this machine",
    file: `${wing}/sites/parse-origins.ts`,
    from: "|127\\.\\d+\\.\\d+\\.\\d+|",
    to: "|127\\..+|",
    killedBy: [originsTest, refused],
  },
  {
    name: "what a browser would drop from a site's origin is accepted",
    file: `${wing}/sites/parse-origins.ts`,
    from: "  const url = shape.test(given) ? URL.parse(given) : null;",
    to: "  const url = shape.test(given.trim()) ? URL.parse(given) : null;",
    killedBy: [originsTest, refused],
  },
  {
    name: "an account has one site too many",
    file: `${wing}/sites/create-site.work.ts`,
    from: "  if (existing!.count >= sitesMax)",
    to: "  if (existing!.count > sitesMax)",
    killedBy: [manageTest, limit],
  },
  {
    name: "sites that are created at once do not wait for each other",
    file: "apps/api/src/register/accounts.table.ts",
    from: '    .select(["id", "status", "verified_at"])\n    .where("id", "=", accountId)\n    .$if(locksRows(db), (query) => query.forNoKeyUpdate());',
    to: '    .select(["id", "status", "verified_at"])\n    .where("id", "=", accountId);',
    killedBy: [manageTest, limit],
    needs: "postgres",
  },
  {
    name: "an account changes another one's site",
    file: table,
    from: '    .set({ changed_at: nowMs, ...(name !== undefined && { name }), ...(origins !== undefined && { origins }) })\n    .where("id", "=", siteId)\n    .where("account_id", "=", accountId)',
    to: '    .set({ changed_at: nowMs, ...(name !== undefined && { name }), ...(origins !== undefined && { origins }) })\n    .where("id", "=", siteId)',
    killedBy: [manageTest, "change their name and origins, and nobody else's"],
  },
  {
    name: "other nodes do not learn that a site was deleted",
    file: table,
    from: "    .set({ changed_at: nowMs, deleted_at: nowMs })",
    to: "    .set({ deleted_at: nowMs })",
    killedBy: [manageTest, "are gone for their owner once they are deleted, and every node can still read that they are"],
  },
  {
    name: "the audit log keeps the origins of sites",
    file: `${wing}/sites/create-site.work.ts`,
    from: "detail: { origins: origins.length }",
    to: "detail: { origins }",
    killedBy: [manageTest, "note every change, and only changes, without names and origins"],
  },
  {
    name: "the time at which a site was last seen moves back",
    file: table,
    from: '        .where((either) => either.or([either("s.last_seen_at", "is", null), either("s.last_seen_at", "<", seen.atMs)]))\n',
    to: "",
    killedBy: [manageTest, "add up what happened on them in the last 30 days, and when a session last began"],
  },
  {
    name: "a salt of networks outlives the day after its own",
    file: `${wing}/delete-old-attestation.ts`,
    from: "startOfDay(nowMs) - msPerDay;",
    to: "startOfDay(nowMs - msPerDay) - msPerDay;",
    killedBy: [keptTest, "is today's and yesterday's salt, of which the first one written counts; older ones go, even where nothing else may be deleted yet"],
  },
  {
    name: "a site is deleted while its last sessions are still counted",
    file: `${wing}/delete-old-attestation.ts`,
    from: "const deletedSitesKeptDays = 2;",
    to: "const deletedSitesKeptDays = 1;",
    killedBy: [keptTest, "is a deleted site for two days, then neither it nor its counts, and nothing of others"],
  },
  {
    name: "sites of an account that is being closed go on",
    file: "apps/api/src/people/close-account.work.ts",
    from: "  await tx.change(eraseSites(tx.db, { accountId, nowMs }));\n",
    to: "",
    killedBy: [closing, "with a balance, revokes the keys at once and erases once the balance is settled"],
  },
  {
    name: "a closed account's sites keep their origins",
    file: table,
    from: '{ name: "", origins: "[]", changed_at',
    to: '{ name: "", changed_at',
    killedBy: [closing, "erases all personal data, revokes the keys on every node and leaves the ledger intact"],
  },
];
