import type { Store } from "../../src/store/store.ts";

export type ReadMail = { id: string; kind: string; subject: string; text: string; state: string };

/** The mails to an address in the outbox, oldest first. */
export async function readMails(store: Store, recipient: string): Promise<ReadMail[]> {
  return store.db
    .selectFrom("mails")
    .select(["id", "kind", "subject", "body_text as text", "state"])
    .where("recipient", "=", recipient)
    .orderBy("id")
    .execute();
}

/** Path and query of the link in the newest mail of a kind. */
export async function readLink(store: Store, mail: { to: string; kind: string }): Promise<string> {
  const newest = (await readMails(store, mail.to)).findLast(({ kind }) => kind === mail.kind);
  if (!newest) throw new Error(`no ${mail.kind} mail to ${mail.to}`);
  const address = /https?:\/\/\S+/.exec(newest.text)?.[0];
  if (address === undefined) throw new Error("the mail contains no link");
  const { pathname, search } = new URL(address);
  return pathname + search;
}
