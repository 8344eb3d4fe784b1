import { selectAtFirstStart } from "../../register/accounts.table.ts";
import type { Store } from "../../store/store.ts";
import type { EndpointOwner } from "../egress/post-outwards.ts";
import { operators } from "../events/write-events.ts";

/** With whose rights requests to these audiences' endpoints go out. */
export async function readOwners({ db }: Pick<Store, "db">, audiences: readonly string[]): Promise<(audience: string) => EndpointOwner> {
  const rows = await selectAtFirstStart(db, [...new Set(audiences)]).execute();
  const first = new Set(rows.map(({ id }) => id));
  return (audience) => {
    if (audience === operators) return "operators";
    return first.has(audience) ? "first_developer" : "developer";
  };
}
