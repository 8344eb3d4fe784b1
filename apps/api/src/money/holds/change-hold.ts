import type { Store } from "../../store/store.ts";
import type { HoldChange, HoldChangeOutcome } from "./change-hold.work.ts";

const workModule = new URL("./change-hold.work.ts", import.meta.url);

/** Only an operator opens and lifts holds, with a reason that the account can read. */
export const changeHold = (store: Store, change: HoldChange): Promise<HoldChangeOutcome> =>
  store.transact<HoldChange, HoldChangeOutcome>(workModule, change);

type HoldRefusal = Exclude<HoldChangeOutcome["kind"], "opened" | "lifted">;

export const holdRefusalTexts: Record<HoldRefusal, string> = {
  unknown_account: "No account has this id.",
  already_open: "An operator's hold is already open on this account.",
  none_open: "No hold is open on this account.",
  still_suspended: "The account is suspended, which holds its money. Resume the account instead.",
  own_account: "You cannot do this to your own account, or one that names the same payee.",
};
