import type { Command } from "commander";
import { selectAccounts } from "../register/accounts.table.ts";
import { changeTier, resetPassword, resumeAccount, suspendAccount } from "../people/change-account.ts";
import { createAccount, type CreateAccountOutcome } from "../people/create-account.ts";
import { makePassword } from "../start/make-first-sign-ins.ts";
import type { Store } from "../store/store.ts";
import { defineCommand, defineFamily, type JsonOption } from "./define-command.ts";
import { type Account, describeAccount, findAccount } from "./find-account.ts";
import { explainUnknownTier } from "./tier.ts";
import { pairLines, printJson, printJsonList, printLines, shortTime, tableLines } from "./print.ts";
import { Refusal } from "./refusal.ts";
import { withAnnouncements, withStore } from "./with-store.ts";

type EmailOption = JsonOption & { email: string };

const accountsPerPage = 500;
const passwordLengthMin = 8;
const passwordLengthMax = 128;

/** Less than the dashboard asks of people: an operator with a shell is trusted, and scripts set passwords of their own. */
function checkPassword(password: string | undefined): void {
  if (password === undefined || (password.length >= passwordLengthMin && password.length <= passwordLengthMax)) return;
  throw new Refusal(`a password has ${passwordLengthMin} to ${passwordLengthMax} characters`);
}

const accountLines = (account: Account): string[] =>
  pairLines({
    Account: account.id,
    "E-mail": account.email,
    Tier: account.tier,
    Status: account.status,
    Verified: account.verified_at === null ? "no" : "yes",
    Operator: account.operator === 1 ? "yes" : "no",
    Created: shortTime(account.created_at),
  });

async function explainNotCreated(
  store: Store,
  outcome: Exclude<CreateAccountOutcome, { kind: "created" }>,
  wish: { email: string; tier: string },
): Promise<Refusal> {
  switch (outcome.kind) {
    case "email_taken":
      return new Refusal(`the e-mail address ${wish.email} is taken by another account`);
    case "invalid_email":
      return new Refusal(`"${wish.email}" is not an e-mail address`);
    case "unknown_tier":
      return explainUnknownTier(store, wish.tier);
  }
}

type CreateOptions = EmailOption & { tier: string; verified?: true; operator?: true; password?: string };

async function runCreate(options: CreateOptions): Promise<void> {
  const { email, tier, password } = options;
  checkPassword(password);
  const wish = { email, tier, password, verified: options.verified === true, operator: options.operator === true };
  const account = await withStore(async ({ store, nowMs }) => {
    const outcome = await createAccount(store, wish, nowMs);
    if (outcome.kind !== "created") throw await explainNotCreated(store, outcome, wish);
    return outcome.account;
  });
  await (options.json ? printJson(describeAccount(account)) : printLines(accountLines(account)));
}

async function* readPages(store: Store): AsyncGenerator<Account[]> {
  let afterId = "";
  for (;;) {
    const page = await selectAccounts(store.db, { afterId, limit: accountsPerPage }).execute();
    yield page;
    if (page.length < accountsPerPage) return;
    afterId = page.at(-1)!.id;
  }
}

async function* describePages(pages: AsyncIterable<Account[]>) {
  for await (const page of pages) yield page.map(describeAccount);
}

async function printAccountTable(pages: AsyncIterable<Account[]>): Promise<void> {
  const header = ["Account", "Tier", "Status", "Verified", "Operator", "Created", "E-mail"];
  let hasHeader = false;
  for await (const page of pages) {
    const rows = page.map((account) => [
      account.id,
      account.tier,
      account.status,
      account.verified_at === null ? "no" : "yes",
      account.operator === 1 ? "yes" : "no",
      shortTime(account.created_at),
      account.email,
    ]);
    await printLines(tableLines(header, rows).slice(hasHeader ? 1 : 0));
    hasHeader = true;
  }
}

async function runList(options: JsonOption): Promise<void> {
  await withStore(async ({ store }) => {
    const pages = readPages(store);
    await (options.json ? printJsonList(describePages(pages)) : printAccountTable(pages));
  });
}

async function runSetTier(options: EmailOption & { tier: string }): Promise<void> {
  const account = await withAnnouncements(async ({ store, nowMs, channel }) => {
    const { id: accountId } = await findAccount(store, options.email);
    const outcome = await changeTier(store, { accountId, tier: options.tier, nowMs, channel });
    if (outcome.kind === "unknown_tier") throw await explainUnknownTier(store, options.tier);
    return findAccount(store, options.email);
  });
  const line = `${account.email} holds the tier ${account.tier} from now on.`;
  await (options.json ? printJson(describeAccount(account)) : printLines([line]));
}

async function runMove(options: EmailOption, to: "active" | "suspended"): Promise<void> {
  const { account, outcome } = await withAnnouncements(async ({ store, nowMs, channel }) => {
    const { id: accountId } = await findAccount(store, options.email);
    const move = to === "suspended" ? suspendAccount : resumeAccount;
    const moved = await move(store, { accountId, nowMs, channel });
    return { account: await findAccount(store, options.email), outcome: moved };
  });
  if (account.status !== to) throw new Refusal(`the account ${account.email} is ${account.status} and stays so`);
  const line = outcome === "changed" ? `${account.email} is ${to} from now on.` : `${account.email} is ${to} already.`;
  await (options.json ? printJson(describeAccount(account)) : printLines([line]));
}

async function runResetPassword(options: EmailOption & { password?: string }): Promise<void> {
  checkPassword(options.password);
  const made = options.password === undefined ? makePassword() : undefined;
  const { id, email } = await withStore(async ({ store }) => {
    const account = await findAccount(store, options.email);
    await resetPassword(store, { accountId: account.id, password: options.password ?? made! });
    return account;
  });
  if (options.json) await printJson({ id, email, ...(made !== undefined && { password: made }) });
  else if (made !== undefined) await printLines(pairLines({ "E-mail": email, Password: made }));
  else await printLines([`${email} has the given password from now on.`]);
}

export function addAccountCommands(program: Command): void {
  const family = defineFamily(program, { name: "account", summary: "accounts: who is paid, and who runs the place" });
  defineCommand(family, {
    name: "create",
    summary: "open an account",
    example: "account create --email dev@example.com --tier Starter --verified",
  })
    .requiredOption("--email <address>", "e-mail address, not yet in use")
    .requiredOption("--tier <name>", "tier that sets its limits and its share")
    .option("--verified", "take the address as verified: keys can be made at once")
    .option("--operator", "let the account run the installation")
    .option("--password <text>", "password to sign in with; without one, reset-password makes one")
    .action(runCreate);
  defineCommand(family, { name: "list", summary: "list all accounts", example: "account list --json" }).action(runList);
  defineCommand(family, {
    name: "set-tier",
    summary: "give an account another tier, from its next call on",
    example: "account set-tier --email dev@example.com --tier Growth",
  })
    .requiredOption("--email <address>", "the account's e-mail address")
    .requiredOption("--tier <name>", "the new tier")
    .action(runSetTier);
  defineCommand(family, {
    name: "suspend",
    summary: "refuse an account's keys until it is resumed",
    example: "account suspend --email dev@example.com",
  })
    .requiredOption("--email <address>", "the account's e-mail address")
    .action((options: EmailOption) => runMove(options, "suspended"));
  defineCommand(family, {
    name: "resume",
    summary: "accept a suspended account's keys again",
    example: "account resume --email dev@example.com",
  })
    .requiredOption("--email <address>", "the account's e-mail address")
    .action((options: EmailOption) => runMove(options, "active"));
  defineCommand(family, {
    name: "reset-password",
    summary: "set a new password, or make one and print it",
    example: "account reset-password --email dev@example.com",
  })
    .requiredOption("--email <address>", "the account's e-mail address")
    .option("--password <text>", "the new password; without it one is made")
    .action(runResetPassword);
}
