import { mkdir, open as openFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SendMailOptions, Transporter } from "nodemailer";

export type OutgoingMail = {
  id: string;
  recipient: string;
  subject: string;
  body_text: string;
  body_html: string;
  unsubscribe_url: string | null;
  created_at: number;
};

/** Resolves once the mail server has accepted the mail, or its file is written. */
export type Deliver = (mail: OutgoingMail) => Promise<void>;

/** Retrying cannot deliver this mail. */
export class UndeliverableMail extends Error {
  override name = "UndeliverableMail";
}

const connectTimeoutMs = 10_000;
const silenceTimeoutMs = 20_000;
const localSender = "Assay <no-reply@localhost>";

const domainOf = (from: string): string => /@([^\s>]+)>?\s*$/.exec(from)?.[1] ?? "localhost";

/** RFC 8058: a mail program can offer a button that ends such mails with one request. */
const unsubscribeHeaders = (url: string) => ({ "List-Unsubscribe": `<${url}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" });

/** The Message-ID is stable, so a recipient can recognise a mail that was sent twice. */
const toMessage = (mail: OutgoingMail, from: string): SendMailOptions => ({
  from,
  // As an object, so that an address is never parsed as a list.
  to: { name: "", address: mail.recipient },
  subject: mail.subject,
  text: mail.body_text,
  html: mail.body_html,
  messageId: `<${mail.id}@${domainOf(from)}>`,
  date: new Date(mail.created_at),
  headers: { "Auto-Submitted": "auto-generated", ...(mail.unsubscribe_url !== null && unsubscribeHeaders(mail.unsubscribe_url)) },
});

type SmtpError = Error & { code?: string; responseCode?: number; command?: string };

/** Leaves out the server's message, which often repeats the address. */
const describe = ({ code, responseCode, command, name }: SmtpError): string =>
  [code ?? name, responseCode, command].filter((part) => part !== undefined).join(" ");

const isFinal = ({ responseCode = 0, command }: SmtpError): boolean => command === "RCPT TO" && responseCode >= 550 && responseCode < 560;

/** Loads nodemailer with the first mail: a node that sends none never holds it in memory. */
export function deliverBySmtp(settings: { smtpUrl: string; from: string }): Deliver {
  let transport: Promise<Transporter> | undefined;
  const open = async () => {
    const { createTransport } = await import("nodemailer");
    const timeouts = { connectionTimeout: connectTimeoutMs, greetingTimeout: connectTimeoutMs, socketTimeout: silenceTimeoutMs };
    return createTransport({ url: settings.smtpUrl, ...timeouts });
  };
  return async (mail) => {
    transport ??= open();
    try {
      await (await transport).sendMail(toMessage(mail, settings.from));
    } catch (error) {
      const reason = describe(error as SmtpError);
      throw isFinal(error as SmtpError) ? new UndeliverableMail(reason) : new Error(reason);
    }
  };
}

export const outboxFolderOf = (dataDir: string): string => join(dataDir, "outbox");
export const outboxFileOf = (dataDir: string, mailId: string): string => join(outboxFolderOf(dataDir), `${mailId}.eml`);
/** Also for a file that is still being written. */
export const mailIdOfFile = (name: string): string => name.replace(/\.eml(\.part)?$/, "");

/** Makes the names in a folder survive a power failure. */
async function syncNames(folder: string): Promise<void> {
  const opened = await openFile(folder, "r");
  try {
    await opened.sync();
  } finally {
    await opened.close();
  }
}

/** Without a mail server: one .eml file per mail, readable by its owner only. */
export function deliverToFolder(settings: { dataDir: string; from: string | undefined }): Deliver {
  return async (mail) => {
    const { createTransport } = await import("nodemailer");
    const transport = createTransport({ streamTransport: true, buffer: true, newline: "unix" });
    const { message } = await transport.sendMail(toMessage(mail, settings.from ?? localSender));
    const folder = outboxFolderOf(settings.dataDir);
    const file = outboxFileOf(settings.dataDir, mail.id);
    const made = await mkdir(folder, { recursive: true, mode: 0o700 });
    // The rename is atomic: a mail file is never partial. All is synced before the store marks the mail as sent.
    await writeFile(`${file}.part`, message as Buffer, { mode: 0o600, flush: true });
    await rename(`${file}.part`, file);
    await syncNames(folder);
    if (made !== undefined) await syncNames(settings.dataDir);
  };
}
