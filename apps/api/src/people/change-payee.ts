import type { PayeeProfile } from "@assay/contract/dashboard/settings.ts";
import { Failure, overtaken } from "../failure/failure.ts";
import { msPerDay } from "../formats/time.ts";
import { checkPayee } from "../register/check-payee.ts";
import { selectPayee } from "../register/payees.table.ts";
import type { PayeeChange, PayeeChangeOutcome } from "./change-payee.work.ts";
import { letInOf } from "./hold-sign-in.ts";
import { marksOf } from "./payee-marks.ts";
import type { PeopleContext } from "./people-context.ts";
import type { SignedIn } from "./require-sign-in.ts";
import { resetPageUrl } from "./reset-password.ts";
import { confirmStepUp, type StepUp } from "./step-up.ts";

const workModule = new URL("./change-payee.work.ts", import.meta.url);

/** Sets who is paid, and where. The profile is checked first: a mistake must not use up the code of the second factor. */
export async function changePayee(context: PeopleContext, signedIn: SignedIn, given: { profile: PayeeProfile; stepUp: StepUp }): Promise<void> {
  const present = await selectPayee(context.store.db, signedIn.accountId).executeTakeFirst();
  const checked = checkPayee(given.profile, present);
  if (checked.kind === "wrong") throw new Failure("invalid_request", checked.message);
  await confirmStepUp(context, signedIn, given.stepUp);
  const outcome = await context.store.transact<PayeeChange, PayeeChangeOutcome>(workModule, {
    accountId: signedIn.accountId,
    letIn: letInOf(signedIn),
    profile: checked.profile,
    marks: await marksOf(context.marks, checked.profile),
    restMs: context.payeeChangeHoldDays * msPerDay,
    resetUrl: resetPageUrl(context),
    nowMs: context.nowMs(),
  });
  if (outcome.kind === "overtaken") throw overtaken();
  if (outcome.kind === "not_active") throw new Failure("forbidden", `This account is ${outcome.status}: it can be viewed, but not changed.`);
  if (outcome.kind === "changed") context.wakeMailer();
}
