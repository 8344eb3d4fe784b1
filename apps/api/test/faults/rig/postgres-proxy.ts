import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** What the proxy knows when it sees it: the statement that bills calls, or the commit of a transaction that pays clicks. */
export type Target = "charge" | "commit_of_clicks";

/** What happens to the next target. */
export type Strike =
  /** It reaches nobody: both ends are closed. */
  | "cut_before"
  /** Half of it is sent, then both ends are closed. */
  | "cut_inside"
  /** It is sent, and the node's end is closed before the server can answer. */
  | "cut_after"
  /** It is sent; when the server has answered, the node's end is closed instead. */
  | "drop_answer"
  /** It is kept from the server until `release`, whether or not the node still waits. */
  | "hold_statement"
  /** It is sent, and the server's answer is kept until `release`. */
  | "hold_answer";

/** A TCP proxy before PostgreSQL that knows a charge when it sees one, and can do to it what networks do. */
export type PostgresProxy = {
  /** The database's address through this proxy. */
  url: string;
  /** Strikes one charge; resolves when it was met. */
  strike(strike: Strike): Promise<void>;
  /** Sends on what was held; resolves with the server's answer to a held statement, empty for a held answer. */
  release(): Promise<string>;
  /** From now on nothing passes in either direction, and nobody is told. New connections open and stay silent. */
  blackHole(): void;
  /** Everything passes again. The silent connections go on where they stopped, or stay silent for ever. */
  endBlackHole(silentOnes: "go_on" | "stay_silent"): void;
  /** Closes every connection and refuses new ones until `accept`. */
  refuse(): Promise<void>;
  accept(): Promise<void>;
  close(): Promise<void>;
};

/** The prepared statement's name, in Parse and in Bind: see money/ledger/charge-batch.postgres.ts. */
const chargeStatement = Buffer.from("charge-calls");
/** In a transaction that pays a click, and in no other: see ads/serving/clicks.table.ts. */
const clicksStatement = Buffer.from('insert into "clicks"');
const commit = Buffer.from("COMMIT\0");
/** The message that ends a statement of the extended protocol, and makes the server commit it. */
const sync = Buffer.from([0x53, 0, 0, 0, 4]);

type Link = {
  node: Socket;
  server: Socket;
  silent: boolean;
  /** What was swallowed by the silence, in its order. */
  swallowed: (() => void)[];
};

export async function startPostgresProxy(databaseUrl: string, seen: Target = "charge"): Promise<PostgresProxy> {
  const target = new URL(databaseUrl);
  const links = new Set<Link>();
  let awaited: { strike: Strike; met: () => void } | undefined;
  let isBlackHole = false;
  let held: () => Promise<string> = () => Promise.reject(new Error("nothing is held"));

  const cut = (link: Link): void => {
    // Now the one kind of ending, now the other: a reset, or an end.
    if (links.size % 2 === 0) link.node.resetAndDestroy();
    else link.node.destroy();
    link.server.destroy();
  };

  /** Applies the strike; from here on the link carries nothing else. */
  function meet(link: Link, strike: Strike, statement: Buffer): void {
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
    meet(link, strike.strike, statement);
    strike.met();
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
    // An end that breaks is closed next, and that is all there is to do about it.
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
      return new Promise((met) => {
        awaited = { strike, met };
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
