import type { Store } from "../store/store.ts";
import type { Unlink } from "./unlink-payee.work.ts";

const workModule = new URL("./unlink-payee.work.ts", import.meta.url);

/** For an account that named a bank account or tax id after somebody who should not have: it depends on that one no longer. */
export const unlinkPayee = (store: Store, unlink: Unlink): Promise<"unlinked" | "not_linked"> => store.transact(workModule, unlink);
