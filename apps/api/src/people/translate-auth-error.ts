import { Failure, overloaded } from "../failure/failure.ts";
import { secondFactorLockSeconds } from "./second-factor-lock.ts";
import { TooManyTries } from "./throttle.ts";

/** Ours, among better-auth's: what `auth-adapter.ts` says of a store that does not answer. */
export const storeOutOfReachCode = "STORE_OUT_OF_REACH";

/** better-auth's codes that a person can bring about, in our words. */
const failures: Record<string, () => Failure> = {
  INVALID_CODE: () => new Failure("wrong_code", "The code is wrong or was used already."),
  INVALID_BACKUP_CODE: () => new Failure("wrong_code", "The recovery code is wrong or was used already."),
  INVALID_TWO_FACTOR_COOKIE: () => new Failure("sign_in_required", "This sign-in took too long. Begin again with your password."),
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: () => new Failure("sign_in_required", "Too many wrong codes. Begin again with your password."),
  ACCOUNT_TEMPORARILY_LOCKED: () => new TooManyTries(secondFactorLockSeconds),
  TOTP_NOT_ENABLED: () => new Failure("invalid_request", "Two-factor sign-in is not set up for this account."),
  TWO_FACTOR_NOT_ENABLED: () => new Failure("invalid_request", "Two-factor sign-in is not set up for this account."),
  BACKUP_CODES_NOT_ENABLED: () => new Failure("invalid_request", "Two-factor sign-in is not set up for this account."),
  TOTP_ALREADY_ENABLED: () => new Failure("invalid_request", "Two-factor sign-in is on already. Switch it off to set it up anew."),
  INVALID_PASSWORD: () => new Failure("wrong_password", "The password is wrong."),
  [storeOutOfReachCode]: () => overloaded("the store is out of reach"),
  UNAUTHORIZED: () => new Failure("sign_in_required", "Sign in to go on."),
};

/** For `catch`: turns what better-auth throws into a failure of ours; what is no answer of its is thrown on. */
export function translateAuthError(error: unknown): never {
  const { body, status } = error as { body?: { code?: string }; status?: string };
  // Of two who bring one recovery code at once the slower is told so by a status alone.
  const known = status === "CONFLICT" ? failures["INVALID_BACKUP_CODE"] : failures[body?.code ?? ""];
  throw known ? known() : error;
}
