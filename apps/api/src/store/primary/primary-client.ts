import pg from "pg";
import { connectionSettings } from "./connection-settings.ts";
import { type Admitted, NotPrimary } from "./fence.ts";
import { findPrimary, type Primary } from "./find-primary.ts";
import { readServer } from "./read-server.ts";
import { findMissingSettings, type SessionSettings } from "./session-settings.ts";

/** The session lacks settings that the service relies on: something in between dropped them. */
export class SettingsMissing extends Error {
  override readonly name = "SettingsMissing";
  readonly code = "settings_missing";
}

/** Where PostgreSQL gives up waiting for a standby: the text of its warning depends on the server's language. */
const givesUpWaiting = "SyncRepWaitForLSN";
const readOnlyTransaction = "25006";

/** What `checkedClient` returns: a class for pools, and for single connections. */
export type CheckedClientClass = new (config?: pg.ClientConfig) => CheckedClient;

export type CheckedClient = pg.Client & {
  /** Whether a pooler lends this connection another session for each transaction. Known once it is connected. */
  readonly isPooled: boolean;
  /** Throws NotPrimary if a pooler leads to a server that was replaced. */
  recheck(): Promise<void>;
};

const isNamed = (statement: unknown): statement is pg.QueryConfig => typeof statement === "object" && statement !== null && "name" in statement && !("submit" in statement);

function describeMissing(missing: readonly string[], user: string | undefined): string {
  // Set for the role, this one would stop the service.
  if (missing.some((each) => each.startsWith("default_transaction_read_only"))) return "a pooler in between has dropped that the session is read-only: use an address that leads to the server itself";
  return (
    `the session does not have ${missing.join(", ")}, which a pooler in between has dropped: ` +
    `set them for the role (${missing.map((each) => `ALTER ROLE ${user ?? "…"} SET ${each}`).join("; ")}), and let the pooler reconnect`
  );
}

/**
 * Connections to the host that accepts writes. Each is checked in one statement before anything else is sent on it: that
 * its server accepts writes, was not replaced, and has given the session its settings.
 */
export function checkedClient(primary: Primary, settings: SessionSettings): CheckedClientClass {
  const mayBeReadOnly = settings.default_transaction_read_only?.set === "on";

  return class extends pg.Client implements Admitted {
    isPooled = false;
    /** Where it does not, asking would fail the transaction. */
    saysTimeline = false;

    constructor(config?: pg.ClientConfig) {
      super(config);
      // Also before somebody else listens: without a listener, an error would end the process.
      this.on("error", primary.suspect);
      this.on("end", () => primary.fence.forget(this));
      this.on("notice", ({ routine }) => {
        // The transaction has committed here, and perhaps nowhere else. Its answer, which follows, must not count.
        if (routine === givesUpWaiting) this.cut(new Error("Connection terminated: the wait for the synchronous standby was cancelled, and whether the commit survives is unknown"));
      });
      this.connection.on("errorMessage", ({ code }: { code?: string }) => {
        // The statement is refused and nothing more will succeed on this connection.
        if (code === readOnlyTransaction && !mayBeReadOnly) setImmediate(() => this.cut(new NotPrimary("the server has become read-only")));
      });
    }

    cut(reason: Error): void {
      // First every statement fails, and then the socket closes: answers may have been received that are not yet read.
      this.connection.emit("error", reason);
      this.connection.stream.destroy();
    }

    async connectToPrimary(): Promise<this> {
      const { host, port } = await primary.host();
      if (this.connection.stream.destroyed) throw new NotPrimary("no host that accepts writes was found in time");
      Object.assign(this, { host, port });
      try {
        await super.connect();
        const reading = await readServer(this, settings);
        primary.fence.judge(reading, { mayBeReadOnly });
        const missing = findMissingSettings(settings, reading.settings);
        if (missing.length > 0) throw new SettingsMissing(describeMissing(missing, this.user));
        this.saysTimeline = reading.timeline !== undefined;
        this.isPooled = reading.pid !== (this as unknown as { processID: number }).processID;
        primary.fence.admit(this, reading);
        primary.note(reading);
        return this;
      } catch (error) {
        primary.suspect();
        this.end().catch(() => {});
        throw error;
      }
    }

    /** Inside a transaction, about the server that runs it. Without a pooler the connection stays where it was checked. */
    async recheck(): Promise<void> {
      if (this.isPooled && this.saysTimeline) primary.fence.judge(await readServer(this, settings), { mayBeReadOnly });
    }

    /** Behind a pooler, the session that has prepared a statement is not the one that runs it: none is prepared. */
    override query = ((statement: unknown, ...rest: unknown[]) => {
      const sent = this.isPooled && isNamed(statement) ? { ...statement, name: undefined } : statement;
      return (super.query as (...all: unknown[]) => unknown)(sent, ...rest);
    }) as pg.Client["query"];

    override connect(): Promise<this>;
    override connect(callback: (error: Error) => void): void;
    override connect(callback?: (error: Error) => void): Promise<this> | void {
      const connecting = this.connectToPrimary();
      if (!callback) return connecting;
      connecting.then(() => callback(undefined as unknown as Error), callback);
    }
  };
}

/** One connection to the host that accepts writes, for work that does not need a pool. The caller ends it. */
export async function connectToPrimary(where: string | Primary, settings: SessionSettings): Promise<CheckedClient> {
  const primary = typeof where === "string" ? findPrimary(where) : where;
  const client = new (checkedClient(primary, settings))(connectionSettings(primary.address, settings));
  await client.connect();
  return client;
}
