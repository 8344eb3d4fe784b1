/** Mails about an account. Each says what happened, what to do next, and what to do if someone else caused it. */
import { isoTime } from "../formats/time.ts";
import { layOutMail, type MailContent } from "../mail/lay-out-mail.ts";
import type { Mail } from "../mail/queue-mail.ts";

type Recipient = { to: string; accountId: string | undefined };

const make = (kind: string, { to, accountId }: Recipient, content: MailContent): Mail => ({ kind, to, accountId, ...layOutMail(content) });

const reasonForMail = "You received this email because this address belongs to an Assay account.";

export const verifyMail = (recipient: Recipient, options: { url: string; hours: number; isRepeat: boolean }): Mail =>
  make("verify", recipient, {
    subject: "Confirm your email address",
    preview: "One more step before you can generate your first API key.",
    heading: "Confirm your email address",
    paragraphs: [
      "Welcome to Assay. Confirm your email address, and choose your password, to generate your first API key.",
      ...(options.isRepeat ? ["Somebody signed up with this address before. Any of the links works, once: it does not matter who signed up."] : []),
    ],
    button: { label: "Confirm email address", url: options.url },
    footnote: `This link works for ${options.hours} hours. If you did not sign up, ignore this email. The account cannot be used without your confirmation.`,
  });

export const alreadyRegisteredMail = (recipient: Recipient, options: { signInUrl: string }): Mail =>
  make("already_registered", recipient, {
    subject: "You already have an account",
    preview: "Someone tried to sign up with your email address.",
    heading: "You already have an account",
    paragraphs: ["Someone, probably you, tried to sign up with this email address. It already has an account. Nothing has changed."],
    button: { label: "Sign in", url: options.signInUrl },
    footnote: `If you forgot your password, reset it on the sign-in page. If this was not you, you do not need to do anything. ${reasonForMail}`,
  });

export const resetMail = (recipient: Recipient, options: { url: string; minutes: number }): Mail =>
  make("reset", recipient, {
    subject: "Reset your password",
    preview: "Open the link to choose a new password.",
    heading: "Reset your password",
    paragraphs: ["Someone, probably you, asked to reset your password. Choosing a new one signs out every browser."],
    button: { label: "Choose a new password", url: options.url },
    footnote: `This link works once, for ${options.minutes} minutes. If this was not you, ignore this email. Your password stays the same.`,
  });

export const passwordChangedMail = (recipient: Recipient, options: { resetUrl: string }): Mail =>
  make("password_changed", recipient, {
    subject: "Your password was changed",
    preview: "Other browsers were signed out.",
    heading: "Your password was changed",
    paragraphs: ["Your password was just changed, and other browsers were signed out."],
    button: { label: "This was not me", url: options.resetUrl },
    footnote: `If this was you, you do not need to do anything. ${reasonForMail}`,
  });

export const confirmAddressMail = (recipient: Recipient, options: { url: string; hours: number }): Mail =>
  make("change_email", recipient, {
    subject: "Confirm your new email address",
    preview: "Your account keeps its old address until you confirm.",
    heading: "Confirm your new email address",
    paragraphs: ["You asked to use this email address for your Assay account. Open the link in the browser where you are signed in. Until then, the account keeps its old address."],
    button: { label: "Use this address", url: options.url },
    footnote: `This link works for ${options.hours} hours. If you do not have an Assay account, ignore this email.`,
  });

export const addressChangeRequestedMail = (recipient: Recipient, options: { resetUrl: string }): Mail =>
  make("email_change_requested", recipient, {
    subject: "Someone asked to change your email address",
    preview: "Nothing has changed yet.",
    heading: "A new email address was requested",
    paragraphs: ["Someone, probably you, asked to use another email address for your Assay account. It changes once the new address is confirmed."],
    button: { label: "This was not me", url: options.resetUrl },
    footnote: `Choosing a new password signs out every browser and stops the change. If this was you, you do not need to do anything. ${reasonForMail}`,
  });

export const addressChangedMail = (recipient: Recipient): Mail =>
  make("email_changed", recipient, {
    subject: "Your email address was changed",
    preview: "You can no longer sign in with this address.",
    heading: "Your email address was changed",
    paragraphs: ["A new email address was just confirmed for your Assay account. You can no longer sign in with this one."],
    footnote: "If this was not you, contact the operator of this service immediately.",
  });

export const payeeChangedMail = (
  recipient: Recipient,
  options: { isFirst: boolean; restsUntilMs: number | undefined; isPayoutCancelled: boolean; resetUrl: string },
): Mail =>
  make("payee_changed", recipient, {
    subject: options.isFirst ? "Your payout details were entered" : "Your payout details were changed",
    preview: options.isFirst ? "Payouts can now be made." : "Check that it was you.",
    heading: options.isFirst ? "Your payout details were entered" : "Your payout details were changed",
    paragraphs: [
      options.isFirst ? "Payout details were just entered for your Assay account." : "The payout details of your Assay account were just changed.",
      ...(options.restsUntilMs === undefined ? [] : [`No payout is made to the new details before ${isoTime(options.restsUntilMs).slice(0, 16).replace("T", " ")} UTC.`]),
      ...(options.isPayoutCancelled ? ["A payout that had not been sent to the bank was cancelled. Its amount stays in your balance."] : []),
    ],
    button: { label: "This was not me", url: options.resetUrl },
    footnote: `If this was not you, choose a new password at once, check your payout details, and tell the operator of this service. ${reasonForMail}`,
  });

export const secondFactorMail = (recipient: Recipient, options: { enabled: boolean; resetUrl: string }): Mail =>
  make(options.enabled ? "two_factor_enabled" : "two_factor_disabled", recipient, {
    subject: options.enabled ? "Two-factor authentication is on" : "Two-factor authentication is off",
    preview: options.enabled ? "Signing in now also requires a code." : "Signing in now requires only your password.",
    heading: options.enabled ? "Two-factor authentication is on" : "Two-factor authentication is off",
    paragraphs: [
      options.enabled
        ? "Signing in to your account now requires a code from your authenticator app. Keep your recovery codes where you can find them without your phone."
        : "Signing in to your account now requires only your password.",
    ],
    button: { label: "This was not me", url: options.resetUrl },
    footnote: `If this was you, you do not need to do anything. ${reasonForMail}`,
  });

export const secondFactorRemovedMail = (recipient: Recipient): Mail =>
  make("two_factor_removed", recipient, {
    subject: "Your second factor was removed",
    preview: "Signing in now requires only your password.",
    heading: "Your second factor was removed",
    paragraphs: [
      "The operator of this service removed the second factor of your account. Every browser was signed out, and signing in now requires only your password.",
      "Set up two-factor authentication again in the settings.",
    ],
    footnote: "If you did not ask for this, contact the operator of this service immediately, and change your password.",
  });

export const closedMail = (recipient: Recipient, options: { erased: boolean }): Mail =>
  make("account_closed", recipient, {
    subject: options.erased ? "Your account was closed" : "Your account is being closed",
    preview: options.erased ? "Your personal data was erased." : "Your keys no longer work.",
    heading: options.erased ? "Your account was closed" : "Your account is being closed",
    paragraphs: [
      options.erased
        ? "Your keys no longer work, and your personal data was erased. Ledger entries are kept under an ID that no longer identifies you."
        : "Your keys no longer work. Something is left to settle: a balance, a payout, calls or clicks that may still be reversed, or a hold. Your personal data is kept until then and erased afterwards. Meanwhile you can sign in to check the balance or to forfeit it.",
    ],
    footnote: "Thank you for using Assay.",
  });
