import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { queueMail } from "../../src/mail/queue-mail.ts";
import type { Store } from "../../src/store/store.ts";

export type Received = { to: string; from: string; source: string };
export type TestSmtp = { url: string; port: number; received: Received[]; stop(): Promise<void> };

type SmtpSettings = { port?: number; refuse?: (to: string) => number | undefined; onTaken?: () => Promise<void> };

/** A real mail server. `refuse` returns the reply code for a recipient; `onTaken` runs after a mail arrived, before it is acknowledged. */
export async function startSmtp({ port = 0, refuse = () => undefined, onTaken = () => Promise.resolve() }: SmtpSettings = {}): Promise<TestSmtp> {
  const received: Received[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS", "AUTH"],
    onRcptTo({ address }, _session, done) {
      const code = refuse(address);
      done(code === undefined ? undefined : Object.assign(new Error(`no such person: ${address}`), { responseCode: code }));
    },
    onData(stream, session, done) {
      let source = "";
      stream.setEncoding("utf8").on("data", (chunk: string) => (source += chunk));
      stream.on("end", () => {
        const from = session.envelope.mailFrom ? session.envelope.mailFrom.address : "";
        received.push({ to: session.envelope.rcptTo.map(({ address }) => address).join(), from, source });
        void onTaken().then(() => done());
      });
    },
  });
  server.on("error", () => {});
  server.listen(port, "127.0.0.1");
  await once(server.server, "listening");
  const address = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    port: address.port,
    received,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

export const messageIdOf = ({ source }: Received) => /^Message-ID: (\S+)/im.exec(source)?.[1];

export const stateOf = async (store: Store, recipient: string) =>
  (await store.db.selectFrom("mails").select(["state", "attempts", "last_error"]).where("recipient", "=", recipient).execute())[0];

let numbered = 0;
/** Writes a mail to the outbox and returns its recipient. */
export async function queueTestMail(store: Store, { to = `reader-${(numbered += 1)}@example.com`, nowMs = Date.now(), unsubscribeUrl }: { to?: string; nowMs?: number; unsubscribeUrl?: string } = {}): Promise<string> {
  const mail = { kind: "test", to, accountId: undefined, subject: "Grüße", text: "plain words\n.\n", html: "<p>rich words</p>", unsubscribeUrl };
  await store.write([queueMail(store.db, mail, nowMs)]);
  return to;
}
