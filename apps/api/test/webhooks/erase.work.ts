import type { TransactionWork } from "../../src/store/store.ts";
import { eraseWebhooks } from "../../src/webhooks/deliveries/erase-webhooks.ts";

/** As when an account is erased. */
export const work: TransactionWork<{ audience: string }, void> = (tx, { audience }) => eraseWebhooks(tx, audience);
