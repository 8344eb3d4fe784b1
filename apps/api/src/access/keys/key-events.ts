import type { EventData } from "@assay/contract/webhooks.ts";
import type { KeyRow } from "../../store/schema.ts";

/** What is told of a key: never the key, nor the name that its owner gave it. */
export const keyData = ({ account_id, id, mode, last_four }: Pick<KeyRow, "account_id" | "id" | "mode" | "last_four">): EventData<"key.created"> => ({
  account_id,
  key_id: id,
  mode,
  last_four,
});
