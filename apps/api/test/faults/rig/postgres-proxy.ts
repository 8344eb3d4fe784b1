import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** What the proxy recognizes: the statement that bills calls, or the COMMIT of a transaction that pays clicks. */
export type Target = "charge" | "commit_of_clicks";

/** The fault applied to the next target. */
export type Strike =
  /** The statement is dropped, and both ends are closed. */
  | "cut_before"
  /** Half of the statement is sent, then both ends are closed. */
  | "cut_inside"
  /** The statement is sent, and the node's end is closed before the server can answer. */
  | "cut_after"
  /** The statement is sent; when the server answers, both ends are closed instead of forwarding the answer. */
  | "drop_answer"
  /** The statement is held until `release`, whether or not the node still waits. */
  | "hold_statement"
  /** The statement is sent, and the server's answer is held until `release`. */
  | "hold_answer";

/** A TCP proxy in front of PostgreSQL that recognizes its target and simulates network faults. */
export type PostgresProxy = {
  /** URL of the database through this proxy. */
  url: string;
  /** Applies the fault to the next target; resolves when that has happened. */
  strike(strike: Strike): Promise<void>;
  /** Forwards what was held. Resolves with the server's answer to a held statement; empty for a held answer. */
  release(): Promise<string>;
  /** From now on all packets are dropped silently. New connections open and stay silent. */
  blackHole(): void;
  /** Packets pass again. Silent connections resume, or stay silent forever. */
  endBlackHole(silentOnes: "go_on" | "stay_silent"): void;
  /** Closes every connection and refuses new ones until `accept`. */
  refuse(): Promise<void>;
  accept(): Promise<void>;
  close(): Promise<void>;
};

/** Name of the prepared statement in Parse and Bind: see money/ledger/charge-batch.postgres.ts. */
const chargeStatement = Buffer.from("charge-calls");
/** Occurs only in transactions that pay a click: see ads/clicks/clicks.table.ts. */
const clicksStatement = Buffer.from('insert into "clicks"');
const commit = Buffer.from("COMMIT\0");
/** The Sync message, which ends a statement of the extended protocol and makes the server commit it. */
const sync = Buffer.from([0x53, 0, 0, 0, 4]);

type Link = {
  node: Socket;
  server: Socket;
  silent: boolean;
  /** Packets dropped during the silence, in order. */
  swallowed: (() => void)[];
};

export async function startPostgresProxy(databaseUrl: string, seen: Target = "charge"): Promise<PostgresProxy> {
  const target = new URL(databaseUrl);
  const links = new Set<Link>();
  let awaited: { strike: Strike; onApplied: () => void } | undefined;
  let isBlackHole = false;
  let held: () => Promise<string> = () => Promise.reject(new Error("no statement or answer is held"));

  const cut = (link: Link): void => {
    // Alternates between a reset and a normal close.
    if (links.size % 2 === 0) link.node.resetAndDestroy();
    else link.node.destroy();
    link.server.destroy();
  };

  /** Applies the fault; the link carries nothing else afterwards. */
  function apply(link: Link, strike: Strike, statement: Buffer): void {
    const { node, server } = link;
    node.removeAllListeners("data");
    switch (strike) {
      case "cut_before":
        cut(link);
        return;
      case "cut_inside":
        server.write(statement.subarray(0, statement.length >> 1), () => cut(link));
        return;
      case "cut_after":
        node.removeAllListeners("close");
        server.write(statement);
        node.resetAndDestroy();
        server.removeAllListeners("data").once("data", () => server.destroy());
        return;
      case "drop_answer":
        server.write(statement);
        server.removeAllListeners("data").once("data", () => cut(link));
        return;
      case "hold_statement":
        node.removeAllListeners("close");
        node.resume();
        held = async () => {
          const answered = once(server.removeAllListeners("data"), "data");
          server.write(statement);
          const answer = String(((await answered) as Buffer[])[0]);
          cut(link);
          return answer;
        };
        return;
      case "hold_answer": {
        const answer: Buffer[] = [];
        server.write(statement);
        server.removeAllListeners("data").on("data", (chunk: Buffer) => answer.push(chunk));
        held = async () => {
          node.write(Buffer.concat(answer));
          return "";
        };
      }
    }
  }

  function strikeNow(link: Link, statement: Buffer): void {
    const strike = awaited;
    awaited = undefined;
    if (!strike) {
      link.server.write(statement);
      return;
    }
    apply(link, strike.strike, statement);
    strike.onApplied();
  }

  function watchNode(link: Link): void {
    let gathered: Buffer[] | undefined;
    let hasPaid = false;
    link.node.on("data", (chunk: Buffer) => {
      if (link.silent) {
        link.swallowed.push(() => link.server.write(chunk));
        return;
      }
      if (seen === "commit_of_clicks") {
        hasPaid ||= chunk.includes(clicksStatement);
        const isMet = hasPaid && chunk.includes(commit);
        if (isMet) hasPaid = false;
        if (isMet) strikeNow(link, chunk);
        else link.server.write(chunk);
        return;
      }
      if (!gathered && awaited && chunk.includes(chargeStatement)) gathered = [];
      if (!gathered) {
        link.server.write(chunk);
        return;
      }
      gathered.push(chunk);
      const statement = Buffer.concat(gathered);
      if (!statement.subarray(-sync.length).equals(sync)) return;
      gathered = undefined;
      strikeNow(link, statement);
    });
  }

  function carry(node: Socket): void {
    const server = connect({ host: target.hostname, port: Number(target.port), noDelay: true });
    const link: Link = { node, server, silent: isBlackHole, swallowed: [] };
    links.add(link);
    watchNode(link);
    server.on("data", (chunk: Buffer) => {
      if (link.silent) link.swallowed.push(() => node.write(chunk));
      else node.write(chunk);
    });
    node.on("close", () => {
      if (link.silent) return;
      links.delete(link);
      server.destroy();
    });
    server.on("close", () => {
      if (!link.silent) node.destroy();
    });
    // "close" follows every error and is handled above.
    node.on("error", () => {});
    server.on("error", () => {});
  }

  const listener = createServer({ noDelay: true }, carry);
  const listen = async (port: number) => {
    listener.listen(port, "127.0.0.1");
    await once(listener, "listening");
    return (listener.address() as AddressInfo).port;
  };
  const port = await listen(0);
  const cutAll = () => {
    for (const link of links) cut(link);
  };
  const refuse = async () => {
    const closed = once(listener, "close");
    listener.close();
    cutAll();
    await closed;
  };
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${port}`;

  return {
    url: url.href,
    strike(strike) {
      return new Promise((onApplied) => {
        awaited = { strike, onApplied };
      });
    },
    release: () => held(),
    blackHole() {
      isBlackHole = true;
      for (const link of links) link.silent = true;
    },
    endBlackHole(silentOnes) {
      isBlackHole = false;
      if (silentOnes === "stay_silent") return;
      for (const link of links) {
        link.silent = false;
        for (const send of link.swallowed) send();
        if (link.node.destroyed) link.server.end();
      }
    },
    refuse,
    async accept() {
      await listen(port);
    },
    async close() {
      if (listener.listening) await refuse();
      else cutAll();
    },
  };
}
