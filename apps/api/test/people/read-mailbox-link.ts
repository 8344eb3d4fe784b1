import type { TestService } from "../start-service.ts";

/** The link to the local mailbox that the service printed at its start. */
export function readMailboxLink(service: TestService): string {
  const link = /^ *Mailbox +(http\S+\/dashboard\/mailbox\?token=\S+)/m.exec(service.logs())?.[1];
  if (link === undefined) throw new Error("the service printed no link to its mailbox");
  return link;
}
