import type { Store } from "../../store/store.ts";
import type { SetReview, SetReviewOutcome } from "./set-review.work.ts";

const workModule = new URL("./set-review.work.ts", import.meta.url);

/** An operator sets what an account's calls may make payable per month, from now on. */
export const setReview = (store: Store, review: SetReview): Promise<SetReviewOutcome> => store.transact<SetReview, SetReviewOutcome>(workModule, review);

export const reviewRefusalTexts: Record<Exclude<SetReviewOutcome["kind"], "reviewed">, string> = {
  unknown_account: "No account has this id.",
  own_account:
    "Nobody reviews its own account, or one that named the same bank account or tax number. Another operator has to do it (`account create --operator` adds one); PAYOUT_FOUR_EYES=off permits it.",
};
