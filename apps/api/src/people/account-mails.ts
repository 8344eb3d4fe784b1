/** What accounts are told by mail. Every text says what happened, what to do, and what to do if it was somebody else. */
import { layOutMail, type MailContent } from "../mail/lay-out-mail.ts";
import type { Mail } from "../mail/queue-mail.ts";

type Recipient = { to: string; accountId: string | undefined };

const make = (kind: string, { to, accountId }: Recipient, content: MailContent): Mail => ({ kind, to, accountId, ...layOutMail(content) });

const becauseYouHaveAnAccount = "You get this mail because this address belongs to an Assay account.";

export const verifyMail = (whom: Recipient, about: { url: string; hours: number; isRepeat: boolean }): Mail =>
  make("verify", whom, {
    subject: "Confirm your address",
    preview: "One step is left before you can create your first API key.",
    heading: "Confirm your address",
    paragraphs: [
      "Welcome to Assay. Confirm that this address is yours, and you can create your first API key.",
      ...(about.isRepeat ? ["You signed up with this address before: the password is the one that was chosen then. You can reset it on the sign-in page."] : []),
    ],
    button: { label: "Confirm this address", url: about.url },
    footnote: `The link works for ${about.hours} hours. If you did not sign up, ignore this mail: without your confirmation the account stays unusable.`,
  });

export const alreadyRegisteredMail = (whom: Recipient, about: { signInUrl: string }): Mail =>
  make("already_registered", whom, {
    subject: "You already have an account",
    preview: "Somebody tried to sign up with your address.",
    heading: "You already have an account",
    paragraphs: ["Somebody, probably you, tried to use this address for a new account. It has an account already, and nothing has changed."],
    button: { label: "Sign in", url: about.signInUrl },
    footnote: `If you forgot your password, reset it on the sign-in page. If it was not you, there is nothing to do. ${becauseYouHaveAnAccount}`,
  });

export const resetMail = (whom: Recipient, about: { url: string; minutes: number }): Mail =>
  make("reset", whom, {
    subject: "Choose a new password",
    preview: "Follow the link to choose a new password.",
    heading: "Choose a new password",
    paragraphs: ["Somebody, probably you, asked to reset the password of your account. Choosing a new one signs every browser out."],
    button: { label: "Choose a new password", url: about.url },
    footnote: `The link works once, for ${about.minutes} minutes. If it was not you, ignore this mail: your password stays as it is.`,
  });

export const passwordChangedMail = (whom: Recipient, about: { resetUrl: string }): Mail =>
  make("password_changed", whom, {
    subject: "Your password was changed",
    preview: "Other browsers have been signed out.",
    heading: "Your password was changed",
    paragraphs: ["The password of your account was changed just now, and other browsers were signed out."],
    button: { label: "It was not me", url: about.resetUrl },
    footnote: `If it was you, there is nothing to do. ${becauseYouHaveAnAccount}`,
  });

export const confirmAddressMail = (whom: Recipient, about: { url: string; hours: number }): Mail =>
  make("change_email", whom, {
    subject: "Confirm your new address",
    preview: "Your account keeps its old address until you do.",
    heading: "Confirm your new address",
    paragraphs: ["You asked to use this address for your Assay account. Open the link in the browser that you are signed in with; until then the account keeps its old address."],
    button: { label: "Use this address", url: about.url },
    footnote: `The link works for ${about.hours} hours. If you have no Assay account, ignore this mail.`,
  });

export const addressChangedMail = (whom: Recipient): Mail =>
  make("email_changed", whom, {
    subject: "The address of your account was changed",
    preview: "This address no longer belongs to your account.",
    heading: "The address of your account was changed",
    paragraphs: ["Your Assay account has a new address, which was confirmed just now. This one no longer works for signing in."],
    footnote: "If it was not you, write to whoever runs this service at once.",
  });

export const secondFactorMail = (whom: Recipient, about: { enabled: boolean; resetUrl: string }): Mail =>
  make(about.enabled ? "two_factor_enabled" : "two_factor_disabled", whom, {
    subject: about.enabled ? "Two-factor sign-in is on" : "Two-factor sign-in is off",
    preview: about.enabled ? "Signing in now needs a code as well." : "Signing in now needs the password only.",
    heading: about.enabled ? "Two-factor sign-in is on" : "Two-factor sign-in is off",
    paragraphs: [
      about.enabled
        ? "Signing in to your account now needs a code of your authenticator app. Keep your recovery codes where you find them without your phone."
        : "Signing in to your account now needs nothing but the password.",
    ],
    button: { label: "It was not me", url: about.resetUrl },
    footnote: `If it was you, there is nothing to do. ${becauseYouHaveAnAccount}`,
  });

export const closedMail = (whom: Recipient, about: { erased: boolean }): Mail =>
  make("account_closed", whom, {
    subject: about.erased ? "Your account was closed" : "Your account is being closed",
    preview: about.erased ? "Your personal data was erased." : "Your keys have stopped working.",
    heading: about.erased ? "Your account was closed" : "Your account is being closed",
    paragraphs: [
      about.erased
        ? "Your keys have stopped working, and your personal data was erased. What was booked stays in the ledger under a number that no longer leads to you."
        : "Your keys have stopped working. Your account still has a balance: your personal data is kept until it is settled, and erased then. You can still sign in to follow this, or to give the balance up.",
    ],
    footnote: "Thank you for having used Assay.",
  });
