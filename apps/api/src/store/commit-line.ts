import pg from "pg";
import { isCertainRefusal } from "./commit-fence.ts";
import type { CommitLine } from "./store.ts";

/** Behind a pooler, the session that has prepared a statement is not the one that runs it: none is prepared. */
type LineConnection = pg.Client & { readonly isPooled?: boolean };

export function openCommitLine(options: {
  settings: pg.ClientConfig;
  Client?: new (settings: pg.ClientConfig) => LineConnection;
  idleMsMax: number;
  onConnectionError: (error: Error) => void;
  /** Called before the statement whose outcome is unknown fails. */
  onUnknownOutcome: (error: unknown) => void;
}): CommitLine {
  const { Client = pg.Client as new (settings: pg.ClientConfig) => LineConnection } = options;
  let current: Promise<LineConnection> | undefined;

  /** The next statement gets a new connection. The old one is closed once everything that was sent on it has failed or succeeded. */
  function retire(opened: Promise<LineConnection>): void {
    if (current === opened) current = undefined;
    opened.then((client) => client.end()).catch(() => {});
  }

  function open(): Promise<LineConnection> {
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
            return (await client.query<Row>(client.isPooled ? { ...statement, name: undefined } : statement)).rows;
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
