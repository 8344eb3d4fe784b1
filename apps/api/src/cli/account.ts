import type { Command } from "commander";
import { readConfig } from "../config.ts";
import { changeTier, demoteOperator, resetPassword, resumeAccount, suspendAccount } from "../people/change-account.ts";
import { createAccount, type CreateAccountOutcome } from "../people/create-account.ts";
import { lastOperatorText } from "../people/last-operator.ts";
import { resetSecondFactor } from "../people/reset-second-factor.ts";
import { selectAccounts } from "../register/accounts.table.ts";
import { makePassword } from "../start/make-first-sign-ins.ts";
import type { Store } from "../store/store.ts";
import { defineCommand, defineFamily, type JsonOption } from "./define-command.ts";
import { type Account, describeAccount, findAccount } from "./find-account.ts";
import { findOperator, findWhoActs } from "./find-operator.ts";
import { pairLines, printJson, printLines, printRows, shortTime } from "./print.ts";
import { Refusal } from "./refusal.ts";
import { explainUnknownTier } from "./tier.ts";
import { withChannel, withStore } from "./with-store.ts";

type EmailOption = JsonOption & { email: string };

const ownAccountText = "nobody does this to its own account, or one that names the same payee: let another operator do it, named with --operator";
const passwordLengthMin = 8;
const passwordLengthMax = 128;

/** Laxer than the dashboard's rule: an operator with a shell is trusted, and scripts set passwords of their own. */
function checkPassword(password: string | undefined): void {
  if (password === undefined || (password.length >= passwordLengthMin && password.length <= passwordLengthMax)) return;
  throw new Refusal(`a password has ${passwordLengthMin} to ${passwordLengthMax} characters`);
}

const yesOrNo = (isSo: boolean): string => (isSo ? "yes" : "no");

const accountLines = (account: Account): string[] =>
  pairLines({
    Account: account.id,
    "E-mail": account.email,
    Tier: account.tier,
    Status: account.status,
    Verified: yesOrNo(account.verified_at !== null),
    Operator: yesOrNo(account.operator === 1),
    Created: shortTime(account.created_at),
  });

async function explainNotCreated(
  store: Store,
  outcome: Exclude<CreateAccountOutcome, { kind: "created" }>,
  { email, tier }: CreateOptions,
): Promise<Refusal> {
  switch (outcome.kind) {
    case "email_taken":
      return new Refusal(`the e-mail address ${email} is taken by another account`);
    case "invalid_email":
      return new Refusal(`"${email}" is not an e-mail address`);
    case "unknown_tier":
      return explainUnknownTier(store, tier);
  }
}

type CreateOptions = EmailOption & { tier: string; verified?: true; operator?: true; password?: string };

async function runCreate(options: CreateOptions): Promise<void> {
  const { email, tier, password } = options;
  const [verified, operator] = [options.verified === true, options.operator === true];
  checkPassword(password);
  const account = await withStore(async ({ store, nowMs }) => {
    const outcome = await createAccount(store, { email, tier, password, verified, operator }, nowMs);
    if (outcome.kind !== "created") throw await explainNotCreated(store, outcome, options);
    return outcome.account;
  });
  await (options.json ? printJson(describeAccount(account)) : printLines(accountLines(account)));
}

async function runList(options: JsonOption): Promise<void> {
  await withStore(({ store }) =>
    printRows<Account>((page) => selectAccounts(store.db, page).execute(), {
      json: options.json === true,
      describe: describeAccount,
      header: ["Account", "Tier", "Status", "Verified", "Operator", "Created", "E-mail"],
      cellsOf: (account) => [
        account.id,
        account.tier,
        account.status,
        yesOrNo(account.verified_at !== null),
        yesOrNo(account.operator === 1),
        shortTime(account.created_at),
        account.email,
      ],
    }),
  );
}

async function runSetTier(options: EmailOption & { tier: string; operator?: string }): Promise<void> {
  const account = await withChannel(async ({ store, nowMs, channel }) => {
    const { id: accountId } = await findAccount(store, options.email);
    const who = await findWhoActs(store, options.operator);
    const outcome = await changeTier(store, { accountId, tier: options.tier, ...who, fourEyes: readConfig().payoutFourEyes, nowMs, channel });
    if (outcome.kind === "unknown_tier") throw await explainUnknownTier(store, options.tier);
    if (outcome.kind === "own_account") throw new Refusal(ownAccountText);
    return findAccount(store, options.email);
  });
  const line = `${account.email} now has the tier ${account.tier}.`;
  await (options.json ? printJson(describeAccount(account)) : printLines([line]));
}

type MoveOptions = EmailOption & { reason?: string; operator?: string };

async function runMove(options: MoveOptions, to: "active" | "suspended"): Promise<void> {
  const { account, outcome } = await withChannel(async ({ store, nowMs, channel }) => {
    const { id: accountId } = await findAccount(store, options.email);
    const move = to === "suspended" ? suspendAccount : resumeAccount;
    const who = await findWhoActs(store, options.operator);
    const reason = options.reason ?? `The account was ${to === "suspended" ? "suspended" : "resumed"}.`;
    const moved = await move(store, { accountId, reason, ...who, fourEyes: readConfig().payoutFourEyes, nowMs, channel });
    if (moved === "own_account") throw new Refusal(ownAccountText);
    if (moved === "last_operator") throw new Refusal(lastOperatorText);
    return { account: await findAccount(store, options.email), outcome: moved };
  });
  if (account.status !== to) throw new Refusal(`the account ${account.email} is ${account.status} and stays so`);
  const line = `${account.email} is ${outcome === "changed" ? "now" : "already"} ${to}.`;
  await (options.json ? printJson(describeAccount(account)) : printLines([line]));
}

async function runDemote(options: EmailOption & { operator?: string }): Promise<void> {
  const account = await withStore(async ({ store, nowMs }) => {
    const { id: accountId, email } = await findAccount(store, options.email);
    const actorAccountId = options.operator === undefined ? null : (await findOperator(store, options.operator)).accountId;
    const outcome = await demoteOperator(store, { accountId, actorAccountId, nowMs });
    if (outcome === "last_operator") throw new Refusal(lastOperatorText);
    if (outcome === "not_an_operator") throw new Refusal(`${email} is not an operator`);
    return findAccount(store, options.email);
  });
  const line = `${account.email} is no longer an operator. The account itself goes on.`;
  await (options.json ? printJson(describeAccount(account)) : printLines([line]));
}

async function runResetPassword(options: EmailOption & { password?: string }): Promise<void> {
  checkPassword(options.password);
  const made = options.password === undefined ? makePassword() : undefined;
  const { id, email } = await withStore(async ({ store, nowMs }) => {
    const account = await findAccount(store, options.email);
    await resetPassword(store, { accountId: account.id, password: options.password ?? made!, nowMs });
    return account;
  });
  if (options.json) await printJson({ id, email, ...(made !== undefined && { password: made }) });
  else if (made !== undefined) await printLines(pairLines({ "E-mail": email, Password: made }));
  else await printLines([`${email} now has the given password.`]);
}

async function runResetSecondFactor(options: EmailOption & { operator?: string }): Promise<void> {
  const { id, email } = await withStore(async ({ store, nowMs }) => {
    const account = await findAccount(store, options.email);
    const actorAccountId = options.operator === undefined ? null : (await findOperator(store, options.operator)).accountId;
    const outcome = await resetSecondFactor(store, { accountId: account.id, email: account.email, actorAccountId, nowMs });
    if (outcome === "none") throw new Refusal(`the account ${account.email} has no second factor`);
    return account;
  });
  const line = `${email} now signs in with the password alone. Its browsers were signed out, and it was told by mail.`;
  await (options.json ? printJson({ id, email }) : printLines([line]));
}

export function addAccountCommands(program: Command): void {
  const family = defineFamily(program, { name: "account", summary: "accounts of developers and operators" });
  defineCommand(family, {
    name: "create",
    summary: "create an account",
    example: "account create --email dev@example.com --tier Starter --verified",
  })
    .requiredOption("--email <address>", "e-mail address, not yet in use")
    .requiredOption("--tier <name>", "tier that sets its limits and its share")
    .option("--verified", "treat the address as verified: keys can be created at once")
    .option("--operator", "make the account an operator of the installation")
    .option("--password <text>", "password for signing in; without it, use reset-password to generate one")
    .action(runCreate);
  defineCommand(family, { name: "list", summary: "list all accounts", example: "account list --json" }).action(runList);
  defineCommand(family, {
    name: "set-tier",
    summary: "change an account's tier, from its next call on",
    example: "account set-tier --email dev@example.com --tier Growth",
  })
    .requiredOption("--email <address>", "the account's e-mail address")
    .requiredOption("--tier <name>", "the new tier")
    .option("--operator <address>", "the operator who does this; needed for an operator's own account if there are several")
    .action(runSetTier);
  for (const { name, to, summary } of [
    { name: "suspend", to: "suspended", summary: "refuse an account's keys and hold its money" },
    { name: "resume", to: "active", summary: "accept its keys again and lift that hold" },
  ] as const) {
    defineCommand(family, { name, summary, example: `account ${name} --email dev@example.com` })
      .requiredOption("--email <address>", "the account's e-mail address")
      .option("--reason <text>", "why: it is mailed to the account and noted in the audit log")
      .option("--operator <address>", "the operator who does this; needed for an operator's own account if there are several")
      .action((options: MoveOptions) => runMove(options, to));
  }
  defineCommand(family, {
    name: "demote",
    summary: "take the operator's role from an account",
    example: "account demote --email ops@example.com",
  })
    .requiredOption("--email <address>", "the operator's e-mail address")
    .option("--operator <address>", "the operator who does this, for the audit log")
    .action(runDemote);
  defineCommand(family, {
    name: "reset-password",
    summary: "set a new password, or generate one and print it",
    example: "account reset-password --email dev@example.com",
  })
    .requiredOption("--email <address>", "the account's e-mail address")
    .option("--password <text>", "the new password; without it one is generated")
    .action(runResetPassword);
  defineCommand(family, {
    name: "reset-second-factor",
    summary: "remove a second factor that was lost",
    example: "account reset-second-factor --email ops@example.com",
  })
    .requiredOption("--email <address>", "the account's e-mail address")
    .option("--operator <address>", "the operator who does this")
    .action(runResetSecondFactor);
}
