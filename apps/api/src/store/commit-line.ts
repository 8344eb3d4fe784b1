import pg from "pg";
import { isCertainRefusal } from "./commit-fence.ts";
import type { CommitLine } from "./store.ts";

export function openCommitLine(options: {
  settings: pg.ClientConfig;
  Client?: new (settings: pg.ClientConfig) => pg.Client;
  idleMsMax: number;
  onConnectionError: (error: Error) => void;
  /** Called before the statement whose outcome is unknown fails. */
  onUnknownOutcome: (error: unknown) => void;
}): CommitLine {
  const { Client = pg.Client } = options;
  let current: Promise<pg.Client> | undefined;

  /** The next statement gets a new connection. The old one is closed once everything that was sent on it has failed or succeeded. */
  function retire(opened: Promise<pg.Client>): void {
    if (current === opened) current = undefined;
    opened.then((client) => client.end()).catch(() => {});
  }

  function open(): Promise<pg.Client> {
    const client = new Client({ ...options.settings, pipeline: true });
    const opened = client.connect().then(() => client);
    opened.catch(() => retire(opened));
    client.on("error", (error) => {
      retire(opened);
      options.onConnectionError(error);
    });
    return opened;
  }

  const idle = setTimeout(() => current && retire(current), options.idleMsMax).unref();

  return {
    async connect() {
      idle.refresh();
      const opened = (current ??= open());
      const client = await opened;
      return {
        async query<Row extends pg.QueryResultRow>(statement: pg.QueryConfig) {
          try {
            return (await client.query<Row>(statement)).rows;
          } catch (error) {
            if (!isCertainRefusal(error)) {
              retire(opened);
              options.onUnknownOutcome(error);
            }
            throw error;
          }
        },
      };
    },
    async end() {
      clearTimeout(idle);
      if (current) await current.then((client) => client.end()).catch(() => {});
    },
  };
}
