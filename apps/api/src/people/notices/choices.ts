import { mandatoryTopics, topics } from "@assay/contract/dashboard/notice-topics.ts";
import type { NoticesReply } from "@assay/contract/dashboard/notices.ts";
import type { NoticeTopic } from "@assay/contract/webhooks.ts";
import { Failure } from "../../failure/failure.ts";
import type { Store } from "../../store/store.ts";
import type { ChangeChoices, ChoicesOutcome } from "./change-choices.work.ts";
import { selectChoices } from "./choices.table.ts";
import { isWanted } from "./wanted-topics.ts";
import type { Unsubscription } from "./unsubscribe-token.ts";

const work = new URL("./change-choices.work.ts", import.meta.url);

type Chooser = { accountId: string; operator: boolean };

/** Events of this topic are told to operators only. */
const concerns = (topic: NoticeTopic, { operator }: Chooser): boolean => operator || topic !== "operations";

export async function readChoices(store: Store, chooser: Chooser): Promise<NoticesReply> {
  const choices = await selectChoices(store.db, [chooser.accountId]).execute();
  const own = topics.filter((topic) => concerns(topic, chooser));
  return { topics: own.map((topic) => ({ topic, wanted: isWanted(topic, choices), mandatory: mandatoryTopics.has(topic) })) };
}

export async function changeChoice(store: Store, chooser: Chooser, change: { topic: NoticeTopic; wanted: boolean; nowMs: number }): Promise<void> {
  const { topic, wanted, nowMs } = change;
  if (!concerns(topic, chooser)) throw new Failure("invalid_request", "Only operators are told of operations.");
  if (mandatoryTopics.has(topic) && !wanted) throw new Failure("invalid_request", "Mails about security cannot be switched off.");
  await store.transact<ChangeChoices, ChoicesOutcome>(work, { accountId: chooser.accountId, topics: [topic], wanted, by: "settings", nowMs });
}

/** For whoever has the link of a mail. */
export const unsubscribe = (store: Store, { accountId, topics: ended }: Unsubscription, nowMs: number): Promise<ChoicesOutcome> =>
  store.transact<ChangeChoices, ChoicesOutcome>(work, { accountId, topics: ended, wanted: false, by: "link", nowMs });
