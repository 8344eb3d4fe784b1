/**
 * What every command and every request that can change something writes to the audit log, or why it changes nothing of
 * money, tier, status, key or setting. A command or route that is missing here fails authorization.test.ts or
 * test/noted-commands.test.ts. route-samples.ts has the requests; `words` are a command's.
 */

/** `of`: the account that the rows name: the samples' owner, another or a new account, null where it is no one account, or never the owner. */
export type Noted = { actions: readonly string[]; of: "owner" | "new" | "others" | null } | { changesNothing: string };

const owner = (...actions: string[]): Noted => ({ actions, of: "owner" });
const noAccount = (...actions: string[]): Noted => ({ actions, of: null });
const nothing = (changesNothing: string): Noted => ({ changesNothing });

const billed = nothing("what a call earns is an entry of the account's own hash chain");
const session = nothing("says what became of a session; no money depends on it");
const visit = nothing("a page's session is in its token; of it only counts are stored");
const signIn = nothing("sign-ins are no setting; the account lists them itself");
const mailOnly = nothing("mails a link; what the link does is noted when it is followed");

/** Three accounts with their keys, and what became of them. */
const demoActions = [
  ...["a shop", "a game", "a script"].flatMap(() => ["account.create", "account.demo", "key.create", "key.create"]),
  "platform.fund",
  "campaign.import",
  "campaign.ended",
  "click.reverse",
  "finding.open",
  "calls.reverse",
  "payout.propose",
  "site.created",
];

const dashboard = "/dashboard/api";
const operator = `${dashboard}/operator`;

/** The same routes for developers and for operators. */
const webhookNotes = (prefix: string, noted: (action: string) => Noted): Record<string, Noted> => ({
  [`POST ${prefix}/webhooks`]: noted("webhook.create"),
  [`PATCH ${prefix}/webhooks/:endpoint_id`]: noted("webhook.change"),
  [`POST ${prefix}/webhooks/:endpoint_id/rotate`]: noted("webhook.rotate"),
  [`POST ${prefix}/webhooks/:endpoint_id/test`]: noted("webhook.test"),
  [`POST ${prefix}/webhooks/:endpoint_id/replay`]: noted("webhook.replay"),
  [`POST ${prefix}/webhooks/:endpoint_id/deliveries/:event_id/redeliver`]: noted("webhook.redeliver"),
  [`DELETE ${prefix}/webhooks/:endpoint_id`]: noted("webhook.delete"),
});

/** Every route that is not a GET. */
export const notesOfRoutes: Record<string, Noted> = {
  "POST /api/ml/predict": billed,
  "POST /ml/predict": billed,
  "POST /api/ml/score": billed,
  "POST /api/ml/analyze": billed,
  "POST /api/servicescore/analyze": billed,
  "POST /api/sessions/:session_id/outcome": session,
  "POST /api/ads/request": nothing("an offer is no money yet; its click is an entry of the account's chain"),
  "POST /api/campaigns/:campaign_id/conversions": nothing("an advertiser's word about a paid click; no money depends on it"),
  "POST /c/v1/start": visit,
  "POST /c/v1/beat": visit,
  "OPTIONS /c/v1/start": visit,
  "OPTIONS /c/v1/beat": visit,
  [`POST ${dashboard}/sessions/:session_id/outcome`]: session,
  [`POST ${dashboard}/playground/send`]: nothing("a scoring call for the page, which is not billed"),
  [`POST ${dashboard}/playground/ad`]: nothing("an ad request for the page"),
  [`PUT ${dashboard}/calibration`]: owner("calibration.switch_on"),
  [`DELETE ${dashboard}/calibration`]: owner("calibration.switch_off"),
  [`PATCH ${dashboard}/settings`]: owner("account.settings"),
  [`PUT ${dashboard}/notices`]: owner("account.notices"),
  "POST /unsubscribe": owner("account.notices"),
  [`PUT ${dashboard}/payee`]: owner("payee.change"),
  [`POST ${dashboard}/tier-requests`]: owner("account.request_tier", "account.tier"),
  [`POST ${dashboard}/keys`]: owner("key.create"),
  [`PATCH ${dashboard}/keys/:key_id`]: owner("key.rename"),
  [`POST ${dashboard}/keys/:key_id/rotate`]: owner("key.rotate"),
  [`DELETE ${dashboard}/keys/:key_id`]: owner("key.revoke"),
  [`POST ${dashboard}/sites`]: owner("site.created"),
  [`PATCH ${dashboard}/sites/:site_id`]: owner("site.changed"),
  [`DELETE ${dashboard}/sites/:site_id`]: owner("site.deleted"),
  [`POST ${dashboard}/auth/revoke-session`]: signIn,
  [`POST ${dashboard}/auth/revoke-other-sessions`]: signIn,
  [`POST ${dashboard}/auth/sign-in/email`]: signIn,
  [`POST ${dashboard}/auth/sign-out`]: signIn,
  [`POST ${dashboard}/auth/change-email`]: mailOnly,
  [`POST ${dashboard}/auth/confirm-email`]: owner("account.email"),
  [`POST ${dashboard}/auth/send-verification-email`]: mailOnly,
  [`POST ${dashboard}/auth/request-password-reset`]: mailOnly,
  [`POST ${dashboard}/auth/sign-up/email`]: owner("account.create"),
  [`POST ${dashboard}/auth/verify-email`]: owner("account.verify"),
  [`POST ${dashboard}/auth/reset-password`]: owner("account.password"),
  [`POST ${dashboard}/auth/change-password`]: owner("account.password"),
  [`POST ${dashboard}/auth/two-factor/enable`]: nothing("the factor counts from its first right code on"),
  [`POST ${dashboard}/auth/two-factor/verify-totp`]: owner("account.two_factor"),
  [`POST ${dashboard}/auth/two-factor/verify-backup-code`]: signIn,
  [`POST ${dashboard}/auth/two-factor/generate-backup-codes`]: owner("account.recovery_codes"),
  [`POST ${dashboard}/auth/step-up`]: owner("account.step_up"),
  [`POST ${dashboard}/auth/two-factor/disable`]: owner("account.two_factor"),
  [`POST ${dashboard}/auth/close-account`]: owner("account.close", "account.forfeit", "payout.cancelled"),
  [`POST ${operator}/funding`]: noAccount("platform.fund"),
  [`POST ${operator}/payouts/propose`]: owner("payout.propose"),
  [`POST ${operator}/payouts/:payout_id/approve`]: owner("payout.approved"),
  [`POST ${operator}/payouts/export`]: owner("payout.exported"),
  [`POST ${operator}/payouts/:payout_id/paid`]: owner("payout.paid"),
  [`POST ${operator}/payouts/:payout_id/return`]: owner("payout.returned"),
  [`POST ${operator}/payouts/:payout_id/cancel`]: { actions: ["payout.cancelled"], of: "new" },
  [`POST ${operator}/payouts/approve`]: owner("payout.approved"),
  [`POST ${operator}/accounts/:account_id/suspend`]: owner("account.suspend"),
  [`POST ${operator}/accounts/:account_id/resume`]: owner("account.resume"),
  [`POST ${operator}/accounts/:account_id/review`]: owner("review.set"),
  [`POST ${operator}/accounts/:account_id/hold`]: owner("hold.open"),
  [`POST ${operator}/accounts/:account_id/lift-hold`]: owner("hold.lift"),
  [`POST ${operator}/accounts/:account_id/reverse-calls`]: owner("calls.reverse"),
  [`POST ${operator}/accounts/:account_id/unlink`]: owner("payee.unlink"),
  [`POST ${operator}/accounts/:account_id/relink`]: owner("payee.relink"),
  [`POST ${operator}/accounts/:account_id/deposits`]: owner("account.deposit"),
  [`POST ${operator}/accounts/:account_id/adjustments`]: owner("account.adjust"),
  [`POST ${operator}/accounts/:account_id/tier`]: owner("account.tier"),
  [`POST ${operator}/tier-requests/:request_id`]: owner("account.tier"),
  [`POST ${dashboard}/findings/:finding_id/answer`]: owner("finding.answer"),
  [`POST ${dashboard}/findings/:finding_id/accept`]: owner("calls.reverse", "finding.accept"),
  [`POST ${dashboard}/waiting/:waiting_id/statement`]: owner("waiting.state"),
  [`POST ${operator}/waiting/:waiting_id/decide`]: owner("waiting.settled"),
  [`POST ${operator}/accounts/:account_id/waiting-allowance`]: owner("waiting.allow"),
  [`POST ${operator}/findings`]: { actions: ["finding.open"], of: "new" },
  [`POST ${operator}/findings/:finding_id/decide`]: owner("finding.decide"),
  [`POST ${operator}/findings/:finding_id/reopen`]: owner("finding.reopen"),
  [`POST ${operator}/clicks/reverse`]: owner("click.reverse"),
  [`PUT ${operator}/models/shadow`]: noAccount("model.shadow"),
  [`POST ${operator}/tracking-keys/rotate`]: noAccount("tracking_key.rotate"),
  [`POST ${operator}/advertisers`]: noAccount("advertiser.create"),
  [`PATCH ${operator}/advertisers/:id`]: noAccount("advertiser.rename"),
  [`POST ${operator}/campaigns`]: noAccount("campaign.create"),
  [`PATCH ${operator}/campaigns/:id`]: noAccount("campaign.edit"),
  [`POST ${operator}/campaigns/:id/state`]: noAccount("campaign.paused"),
  [`POST ${operator}/campaigns/:id/token`]: noAccount("campaign.token"),
  [`POST ${operator}/campaigns/:id/creatives`]: noAccount("creative.create"),
  [`PATCH ${operator}/creatives/:id`]: noAccount("creative.rejected"),
  [`POST ${operator}/creatives/preview`]: nothing("shows a creative and stores nothing"),
  ...webhookNotes(dashboard, owner),
  ...webhookNotes(operator, noAccount),
};

export type CommandSample = { path: string; words: readonly string[]; by: "operator" | "command line"; noted: Noted; makesOperator?: true };

/** In an order in which all of them succeed. Commands that name no operator act for the only one, or for nobody. */
export function commandSamples({ email, file, payoutId, pendingDay, siteId, webhook }: { email: string; file: string; payoutId: string; pendingDay: string; siteId: string; webhook: { id: string; eventId: string } }): CommandSample[] {
  const of = ["--email", email];
  const operatorEmail = "operator@example.com";
  const byNobody = (path: string, words: string[], noted: Noted): CommandSample => ({ path, words, by: "command line", noted });
  const byOperator = (path: string, words: string[], noted: Noted): CommandSample => ({ path, words, by: "operator", noted });
  return [
    {
      ...byNobody("account create", ["--email", operatorEmail, "--tier", "Starter", "--verified", "--operator"], { actions: ["account.create"], of: "new" }),
      makesOperator: true,
    },
    byOperator("account set-tier", [...of, "--tier", "Growth"], owner("account.tier")),
    byOperator("account suspend", [...of, "--operator", operatorEmail], owner("account.suspend")),
    byOperator("account suspend", of, nothing("the account is suspended already")),
    byOperator("account resume", [...of, "--operator", operatorEmail], owner("account.resume")),
    byNobody("account reset-password", of, owner("account.password")),
    byNobody("key create", [...of, "--name", "server"], owner("key.create")),
    byNobody("key revoke", [...of, "--name", "server"], owner("key.revoke")),
    byNobody("key revoke", [...of, "--name", "server"], nothing("the key is revoked already")),
    byNobody("site create", [...of, "--origin", "https://shop.example"], owner("site.created")),
    byNobody("site remove", [siteId], owner("site.deleted")),
    byNobody("tier set", ["Tiny", "--per-hour", "10", "--per-minute", "5", "--share-bps", "6900"], noAccount("tier.set")),
    byNobody("campaign import", [file], noAccount("campaign.import")),
    byNobody("campaign pause", ["Autumn"], noAccount("campaign.paused")),
    byNobody("campaign resume", ["Autumn"], noAccount("campaign.active")),
    byNobody("campaign end", ["Autumn"], noAccount("campaign.ended")),
    byNobody("campaign token", ["Autumn"], noAccount("campaign.token")),
    byNobody("tracking-key rotate", [], noAccount("tracking_key.rotate")),
    byNobody("log key", ["--rotate"], noAccount("log_key.rotate")),
    byOperator("fund", ["--usd", "10"], noAccount("platform.fund")),
    byOperator("model shadow", ["off"], noAccount("model.shadow")),
    byOperator("hold", [...of, "--reason", "a test"], owner("hold.open")),
    byOperator("hold", [...of, "--reason", "a test", "--lift"], owner("hold.lift")),
    byOperator("reverse", [...of, "--day", pendingDay, "--reason", "a test"], owner("calls.reverse")),
    byOperator("review set", [...of, "--monthly-usd", "500", "--reason", "a test"], owner("review.set")),
    byOperator("waiting decide", ["wait_planted", "--decision", "settled", "--reason", "a test"], owner("waiting.settled")),
    byOperator("waiting allow", [...of, "--for", "unexamined", "--daily-usd", "1", "--reason", "a test"], owner("waiting.allow")),
    byOperator("payout propose", [], owner("payout.propose")),
    byOperator("payout approve", [payoutId], owner("payout.approved")),
    byOperator("payout export", [], owner("payout.exported")),
    byOperator("payout mark-paid", [payoutId], owner("payout.paid")),
    byOperator("payout return", [payoutId], owner("payout.returned")),
    byOperator("payout propose", [], owner("payout.propose")),
    byOperator("payout cancel", [payoutId, "--note", "a test"], owner("payout.cancelled")),
    byOperator("deposit", [...of, "--usd", "5"], owner("account.deposit")),
    byOperator("adjust", [...of, "--usd", "-1", "--reason", "a test"], owner("account.adjust")),
    byOperator("account reset-second-factor", [...of, "--operator", operatorEmail], owner("account.reset_second_factor")),
    byNobody("account create", ["--email", "second@example.com", "--tier", "Starter", "--operator"], { actions: ["account.create"], of: "new" }),
    byOperator("account demote", ["--email", "second@example.com", "--operator", operatorEmail], { actions: ["account.demote"], of: "new" }),
    byOperator("finding reopen", ["find_planted", "--reason", "a test", "--operator", operatorEmail], owner("finding.reopen")),
    byOperator("finding decide", ["find_planted", "--decision", "dismissed", "--reason", "a test", "--operator", operatorEmail], owner("finding.decide")),
    byOperator("finding open", [...of, "--reason", "a test", "--operator", operatorEmail], owner("finding.open")),
    byNobody("webhook create", ["--operators", "--url", "https://hooks.example.com/assay"], noAccount("webhook.create")),
    byNobody("webhook delete", [webhook.id], noAccount("webhook.delete")),
    byNobody("webhook create", [...of, "--url", "https://hooks.example.com/assay", "--events", "payout.paid"], owner("webhook.create")),
    byNobody("webhook test", [webhook.id], owner("webhook.test")),
    byNobody("webhook redeliver", [webhook.id, webhook.eventId], owner("webhook.redeliver")),
    byNobody("webhook replay", [webhook.id, "--from", new Date(Date.now() - 60_000).toISOString()], owner("webhook.replay")),
    byNobody("webhook rotate", [webhook.id], owner("webhook.rotate")),
    byNobody("webhook pause", [webhook.id], owner("webhook.change")),
    byNobody("webhook resume", [webhook.id], owner("webhook.change")),
    byNobody("demo", ["--days", "1"], { actions: demoActions, of: "others" }),
  ];
}

const reads = "reads only";

/** Commands that change nothing of money, tier, status, key or setting, and why. */
export const quietCommands: Record<string, string> = {
  serve: "answers requests, which are listed above; the first accounts of an empty store are noted as account create's are",
  migrate: "changes tables, not what they say; the migrations are listed with their times",
  "account list": reads,
  "key list": reads,
  "site list": reads,
  "tier list": reads,
  "campaign list": reads,
  "model list": reads,
  "model compare": reads,
  "campaign report": reads,
  "payout list": reads,
  "finding list": reads,
  "review list": reads,
  "waiting list": reads,
  "webhook list": reads,
  "webhook log": reads,
  "secret-key reseal": "encrypts the same secrets again under another key",
  score: "scores on this machine and stores nothing",
  statement: reads,
  "ledger verify": reads,
  "ledger export": reads,
  "log verify": reads,
  "log evidence": reads,
  "log witness": "cosigns the logs of other installations, in a folder of its own; the store is not opened",
  backup: reads,
  restore: "brings back a whole store with its own audit log, whose last row is older than the restore",
  export: reads,
  import: "fills an empty database with all rows of another one, its audit log among them, and must add none",
};

export type NotedRow = { action: string; actor_account_id: string | null; account_id: string | null };

/** What differs from the list, as lines. `actor`: who must have done it; null for the command line. */
export function findNoteFaults(what: string, noted: Noted | undefined, rows: readonly NotedRow[], by: { actor: string | null; owner: string }): string[] {
  if (noted === undefined) return [`${what}: add it to noted-changes.ts`];
  const expected = "changesNothing" in noted ? [] : noted.actions;
  const isRight = (accountId: string | null) => {
    if ("of" in noted && noted.of === "others") return accountId !== by.owner;
    if ("of" in noted && noted.of === "new") return accountId !== null && accountId !== by.owner;
    return accountId === ("of" in noted && noted.of === "owner" ? by.owner : null);
  };
  const describe = (actions: readonly string[]) => actions.toSorted().join(", ") || "nothing";
  const faults = rows.flatMap((row) => [
    ...(row.actor_account_id === by.actor ? [] : [`${what}: ${row.action} names the actor ${row.actor_account_id}, not ${by.actor}`]),
    ...(isRight(row.account_id) ? [] : [`${what}: ${row.action} names the account ${row.account_id}`]),
  ]);
  const actual = describe(rows.map(({ action }) => action));
  return actual === describe(expected) ? faults : [...faults, `${what}: wrote ${actual}, not ${describe(expected)}`];
}
