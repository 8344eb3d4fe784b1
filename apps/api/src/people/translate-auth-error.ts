import { Failure, overloaded } from "../failure/failure.ts";
import { secondFactorLockSeconds, TooManyTries } from "./throttle.ts";

/** Our own code, thrown by auth-adapter.ts when the store does not answer. */
export const storeOutOfReachCode = "STORE_OUT_OF_REACH";

/** The better-auth codes that a caller can cause. */
const failures: Record<string, () => Failure> = {
  INVALID_CODE: () => new Failure("wrong_code", "The code is wrong or was already used."),
  INVALID_BACKUP_CODE: () => new Failure("wrong_code", "The recovery code is wrong or was already used."),
  INVALID_TWO_FACTOR_COOKIE: () => new Failure("sign_in_required", "This sign-in took too long. Sign in again with your password."),
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: () => new Failure("sign_in_required", "Too many wrong codes. Sign in again with your password."),
  ACCOUNT_TEMPORARILY_LOCKED: () => new TooManyTries(secondFactorLockSeconds),
  TOTP_NOT_ENABLED: () => new Failure("invalid_request", "Two-factor sign-in is not set up for this account."),
  TWO_FACTOR_NOT_ENABLED: () => new Failure("invalid_request", "Two-factor sign-in is not set up for this account."),
  BACKUP_CODES_NOT_ENABLED: () => new Failure("invalid_request", "Two-factor sign-in is not set up for this account."),
  TOTP_ALREADY_ENABLED: () => new Failure("invalid_request", "Two-factor sign-in is already on. Switch it off to set it up again."),
  INVALID_PASSWORD: () => new Failure("wrong_password", "The password is wrong."),
  [storeOutOfReachCode]: () => overloaded("the store is out of reach"),
  UNAUTHORIZED: () => new Failure("sign_in_required", "Sign in to continue."),
};

/** For `catch`: turns better-auth's errors into failures; rethrows any other error. */
export function translateAuthError(error: unknown): never {
  const { body, status } = error as { body?: { code?: string }; status?: string };
  // Of two concurrent uses of one recovery code, the second gets a status without a code.
  const known = status === "CONFLICT" ? failures["INVALID_BACKUP_CODE"] : failures[body?.code ?? ""];
  throw known ? known() : error;
}
