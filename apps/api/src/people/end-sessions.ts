import { raiseSignInEpoch } from "../register/accounts.table.ts";
import type { Db } from "../store/schema.ts";
import { deleteLinksOfAccount } from "./links.table.ts";
import { deleteChallengesOfAccount, deleteSignIns, forgetStepUps } from "./sign-ins.table.ts";

/**
 * The statements of every change of what an account signs in with: a password, a second factor, its recovery codes, the
 * address. Whatever was opened with less ends: sessions but the one named, its step-up, sign-ins that wait for a code,
 * sign-ins under way (the epoch, which `openSession` compares; it also locks the account, so it comes first) and links.
 */
export const endSessions = (db: Db, { accountId, exceptId }: { accountId: string; exceptId: string | undefined }) => [
  raiseSignInEpoch(db, accountId),
  deleteSignIns(db, { accountId, exceptId }),
  forgetStepUps(db, accountId),
  deleteChallengesOfAccount(db, accountId),
  deleteLinksOfAccount(db, { accountId, kinds: ["reset", "change_email"] }),
];
