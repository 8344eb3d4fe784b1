import { lockOpenAccount } from "../../register/accounts.table.ts";
import { noteAction } from "../../register/audit.table.ts";
import type { TransactionWork } from "../../store/store.ts";
import { putChoice, selectChoices } from "./choices.table.ts";
import { isWanted } from "./wanted-topics.ts";
import type { NoticeTopic } from "@assay/contract/webhooks.ts";

export type ChangeChoices = {
  accountId: string;
  topics: readonly NoticeTopic[];
  wanted: boolean;
  /** `link`: by whoever has a mail to the account. */
  by: "settings" | "link";
  nowMs: number;
};
export type ChoicesOutcome = "changed" | "unchanged" | "no_account";

/** What changes nothing is not noted: a link can be opened as often as anybody likes. */
export const work: TransactionWork<ChangeChoices, ChoicesOutcome> = async (tx, { accountId, topics, wanted, by, nowMs }) => {
  const [account] = await tx.run(lockOpenAccount(tx.db, accountId));
  if (!account) return "no_account";
  const choices = await tx.run(selectChoices(tx.db, [accountId]));
  const changed = topics.filter((topic) => isWanted(topic, choices) !== wanted);
  if (changed.length === 0) return "unchanged";
  for (const topic of changed) await tx.change(putChoice(tx.db, { account_id: accountId, topic, wanted: Number(wanted), changed_at: nowMs }));
  await tx.change(noteAction(tx.db, { actorAccountId: accountId, action: "account.notices", subject: accountId, detail: { topics: changed, wanted, by }, nowMs }));
  return "changed";
};
