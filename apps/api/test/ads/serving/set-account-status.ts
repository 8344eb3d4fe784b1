import type { AccountStatus } from "../../../src/store/schema.ts";
import type { Store } from "../../../src/store/store.ts";

export const setAccountStatus = async (store: Store, accountId: string, status: AccountStatus): Promise<void> => {
  await store.db.updateTable("accounts").set({ status }).where("id", "=", accountId).execute();
};
