import type { Mutant } from "./mutant.ts";

const stepUp = "apps/api/src/people/step-up.test.ts";
const change = "apps/api/src/people/change-payee.test.ts";
const links = "apps/api/src/people/payee-links.test.ts";
const closing = "apps/api/src/people/close-account.test.ts";

export const payeesMutants: readonly Mutant[] = [
  {
    name: "a payee is changed without a step-up",
    file: "apps/api/src/people/change-payee.ts",
    from: "  await confirmStepUp(context, signedIn, given.stepUp);\n",
    to: "",
    killedBy: [stepUp, "keeps a payee from everyone who has only the cookie, or the password without the code [threat: payee-takeover]"],
  },
  {
    name: "a step-up asks for no code",
    file: "apps/api/src/people/step-up.ts",
    from: "if (!(await needsCode(context, accountId))) return;",
    to: "if (needsCode !== undefined) return;",
    killedBy: [stepUp, "is asked for before the address changes, and before the second factor goes, which would make it pointless [threat: payee-takeover]"],
  },
  {
    name: "guesses at the code of a step-up are not throttled",
    file: "apps/api/src/people/step-up.ts",
    from: '  await context.throttle.take("confirm_code", accountId);\n',
    to: "",
    killedBy: [stepUp, "slows down guesses at the code, whoever knows the password [threat: guessed-code]"],
  },
  {
    name: "a changed tax number does not rest",
    file: "apps/api/src/people/change-payee.work.ts",
    from: '["tax_id", "method", "account", "bank_code"]);',
    to: '["method", "account", "bank_code"]);',
    killedBy: [change, "counts at once when first entered; every later change of where the money goes rests anew, other changes do not"],
  },
  {
    name: "a change during the rest does not restart it",
    file: "apps/api/src/people/change-payee.work.ts",
    from: "isResting ? nowMs + change.restMs",
    to: "isResting && present.usable_from === 0 ? nowMs + change.restMs",
    killedBy: [change, "counts at once when first entered; every later change of where the money goes rests anew, other changes do not"],
  },
  {
    name: "a changed payee leaves payouts as they are",
    file: "apps/api/src/people/change-payee.work.ts",
    from: "isResting ? await cancelPayouts(tx, change) : []",
    to: "isResting && nowMs < 0 ? await cancelPayouts(tx, change) : []",
    killedBy: [change, "cancels payouts that are proposed or approved when the bank account changes, and no others [threat: payee-after-approval]"],
  },
  {
    name: "a changed payee reports exported payouts as cancelled",
    file: "apps/api/src/money/payouts/payouts.table.ts",
    from: '.where("account_id", "=", accountId).where("status", "in", ["proposed", "approved"]);',
    to: '.where("account_id", "=", accountId).where("status", "in", ["proposed", "approved", "exported"]);',
    killedBy: [change, "cancels payouts that are proposed or approved when the bank account changes, and no others [threat: payee-after-approval]"],
  },
  {
    name: "a payee changes without the lock under which payouts are proposed",
    file: "apps/api/src/people/change-payee.work.ts",
    from: "  await lockChains(tx, [accountId]);\n",
    to: "  void lockChains;\n",
    killedBy: [change, "cancels a payout that is proposed at the same moment, and does not change once the account was closed at that moment"],
    needs: "postgres",
  },
  {
    name: "a held account takes its marks along",
    file: "apps/api/src/people/change-payee.work.ts",
    from: "[unsettled.open_holds, unsettled.open_findings, unsettled.payouts_made]",
    to: "[unsettled.open_findings, unsettled.payouts_made]",
    killedBy: [links, "stay linked when the one that is held, or was ever paid, names another bank account; otherwise it takes its mark along"],
  },
  {
    name: "the earlier of two accounts depends on the later one",
    file: "apps/api/src/register/payees.table.ts",
    from: '      eb("earlier.entered_at", "<", eb.ref("later.entered_at")),\n',
    to: '      eb("earlier.entered_at", "!=", eb.ref("later.entered_at")),\n',
    killedBy: [links, "change nothing for the one that was first: entering a victim's bank account does not touch the victim [threat: victims-bank-account]"],
  },
  {
    name: "an operator's decision on a link outlives the bank account that it was about",
    file: "apps/api/src/people/change-payee.work.ts",
    from: "  if (isResting) await tx.change(deleteUnlinksOf(tx.db, accountId));\n",
    to: "  void deleteUnlinksOf;\n",
    killedBy: [links, "can be unlinked by an operator with a reason, until the account names another bank account"],
  },
  {
    name: "a held account is erased",
    file: "apps/api/src/people/settle-closure.ts",
    from: "[unsettled.open_holds, unsettled.open_findings,",
    to: "[unsettled.open_findings,",
    killedBy: [closing, "while suspended lifts no hold: nothing is erased before an operator lifts it, and what is given up is booked at once [threat: close-while-held]"],
  },
  {
    name: "pending clicks are given up before they are confirmed",
    file: "apps/api/src/people/give-up-balance.ts",
    from: " - pendingOf(unsettled).microUsd",
    to: "",
    killedBy: [closing, "waits for an open finding and for clicks that may still be reversed, and gives those up when they are confirmed"],
  },
  {
    name: "what is on its way to the bank is given up too",
    file: "apps/api/src/people/give-up-balance.ts",
    from: " - (unsettled.exported_micro ?? 0)",
    to: "",
    killedBy: [closing, "with a payout under way waits for it; giving up cancels it before the export, and never touches it after"],
  },
  {
    name: "erasure keeps the marks of a payee",
    file: "apps/api/src/people/settle-closure.ts",
    from: "    deleteMarks(db, accountId),\n",
    to: "",
    killedBy: [links, "cannot be unlinked by an operator who is one of them, and are none any more when the earlier one is erased"],
  },
  {
    name: "erasure keeps the payees of payouts",
    file: "apps/api/src/people/settle-closure.ts",
    from: "    erasePayeesOfPayouts(db, accountId),\n",
    to: "",
    killedBy: [closing, "erases all personal data, revokes the keys on every node and leaves the ledger intact"],
  },
  {
    name: "a BIC may be of any country",
    file: "apps/api/src/register/check-payee.ts",
    from: "homeOf(bankCode.slice(4, 6)) === homeOf(account.slice(0, 2))",
    to: "homeOf(bankCode) !== homeOf(account)",
    killedBy: ["apps/api/src/console/developer/rules.test.ts", "refuses a bank of another country than the IBAN's; territories may have codes of their own"],
  },
];
