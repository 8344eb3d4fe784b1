import { normalizeEmail } from "../people/create-account.ts";
import { selectOperators } from "../register/accounts.table.ts";
import type { Store } from "../store/store.ts";
import { Refusal } from "./refusal.ts";

/** Who acts. The address may be left out where there is one operator. */
export async function findOperator(store: Store, email: string | undefined): Promise<{ accountId: string; email: string }> {
  const operators = await selectOperators(store.db).execute();
  const found = email === undefined ? operators : operators.filter((each) => each.email === normalizeEmail(email));
  if (found.length === 1) return { accountId: found[0]!.id, email: found[0]!.email };
  if (email !== undefined) throw new Refusal(`no operator has the e-mail address ${email}`);
  if (found.length > 1) throw new Refusal("there are several operators: say which one acts, with --operator ADDRESS");
  throw new Refusal("there is no operator yet: make one with `account create --operator`");
}
