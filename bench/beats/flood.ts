/** A process that sends beats: as fast as its connections allow, or at even intervals. The token is a valid one, so that all of a beat's work is done. */
import { type Connection, openConnection } from "../open-connection.ts";
import { serveLoad } from "./child-process.ts";
import { addressIn, writeBeat } from "./page-requests.ts";

export type FloodSettings = { url: string; origin: string; token: string; networks: number; connections: number; /** Undefined: each connection sends its next beat when its last one is answered. */ perSecond?: number };

/** Since the last question. */
export type FloodCounts = { accepted: number; refused: number; failed: number };

const viewMs = 1_000;

serveLoad<FloodSettings, FloodCounts>(async ({ url: address, origin, token, networks, connections, perSecond }) => {
  const url = new URL(address);
  const page = { host: url.host, origin };
  const texts = Array.from({ length: networks }, (_, network) => writeBeat(page, addressIn(network), token, viewMs));
  const free: (() => void)[] = [];
  let counts: FloodCounts = { accepted: 0, refused: 0, failed: 0 };
  let sent = 0;

  const open = (): Promise<Connection> =>
    new Promise((resolve, reject) => {
      const send = () => {
        connection.send(texts[sent % networks]!);
        sent += 1;
      };
      const connection = openConnection(url, {
        onOpen() {
          resolve(connection);
          if (perSecond === undefined) send();
          else free.push(send);
        },
        onAnswer(status) {
          if (status === 200) counts.accepted += 1;
          else if (status === 429) counts.refused += 1;
          else counts.failed += 1;
          if (perSecond === undefined) send();
          else free.push(send);
        },
        onClose: () => reject(new Error(`${address} closed a connection`)),
      });
    });
  await Promise.all(Array.from({ length: connections }, open));
  if (perSecond !== undefined) {
    const startedMs = performance.now();
    let due = 0;
    setInterval(() => {
      const until = Math.floor(((performance.now() - startedMs) * perSecond) / 1_000);
      // What finds every connection busy is not sent later: this is a rate, not a backlog.
      for (; due < until; due += 1) free.shift()?.();
    }, 1);
  }
  return () => {
    const read = counts;
    counts = { accepted: 0, refused: 0, failed: 0 };
    return read;
  };
});
