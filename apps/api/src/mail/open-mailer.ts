import type { Store } from "../store/store.ts";
import { deliverBySmtp, deliverToFolder } from "./deliver-mail.ts";
import { type Mailer, startMailer } from "./send-mails.ts";

/** The last mail to somebody whose data was erased: nothing of it is kept, not even for the local mailbox. */
const neverKept = "account_closed";

/** Sends by SMTP where it is set up; otherwise mails become files, and stay to be read on the mailbox page. */
export function openMailer(
  settings: { smtpUrl: string | undefined; mailFrom: string | undefined; dataDir: string },
  context: { store: Store; nowMs: () => number; random: () => number; onError: (error: unknown) => void },
): Mailer {
  const { smtpUrl, mailFrom: from, dataDir } = settings;
  const isSmtp = smtpUrl !== undefined && from !== undefined;
  return startMailer({
    ...context,
    deliver: isSmtp ? deliverBySmtp({ smtpUrl, from }) : deliverToFolder({ dataDir, from }),
    keepsContent: (kind) => !isSmtp && kind !== neverKept,
  });
}
