/**
 * A process that holds sessions as browsers do: each begins, beats whenever the service has asked it to, and carries its
 * newest token along. All share a proxy's keep-alive connections.
 */
import { type Connection, openConnection } from "../open-connection.ts";
import { serveLoad } from "./child-process.ts";
import { addressIn, readAnswer, writeBeat, writeStart } from "./page-requests.ts";

export type LiveSettings = { url: string; origin: string; siteIds: readonly string[]; sessions: number; networks: number; connections: number; /** In which all of them begin. */ startSeconds: number };

/** Since the last question, except for `steady` (sessions that have beaten twice) and `live`. */
export type LiveCounts = { live: number; steady: number; starts: number; beats: number; failed: number; p50Ms: number; p99Ms: number; sentLateMs: number };

type Session = { network: number; visitor: number; token: string; beats: number; lastMs: number; dueMs: number };

/** After which a page tries again. */
const retryMs = 2_000;
const tickMs = 5;
/** A ring of ticks: longer than any time between beats. */
const ringTicks = 8_192;

serveLoad<LiveSettings, LiveCounts>(async ({ url: address, origin, siteIds, sessions: wanted, networks, connections, startSeconds }) => {
  const url = new URL(address);
  const page = { host: url.host, origin };
  const ring: Session[][] = Array.from({ length: ringTicks }, () => []);
  const waiting: Session[] = [];
  const free: ((session: Session) => void)[] = [];
  let latenciesMs: number[] = [];
  let [live, steady, begun, starts, beats, failed, sentLateMs] = [0, 0, 0, 0, 0, 0, 0];
  const startedMs = performance.now();
  let tick = 0;

  function plan(session: Session, dueMs: number): void {
    session.dueMs = dueMs;
    const at = Math.max(tick, Math.floor((dueMs - startedMs) / tickMs));
    if (at - tick >= ringTicks) throw new Error(`a beat is due in ${Math.round(dueMs - performance.now())} ms`);
    ring[at % ringTicks]!.push(session);
  }

  function send(session: Session): void {
    // In turns: the service closes connections that stay silent.
    const take = free.shift();
    if (take) take(session);
    else waiting.push(session);
  }

  const open = (): Promise<Connection> =>
    new Promise((resolve, reject) => {
      let current: Session | undefined;
      let sentMs = 0;
      const take = (session: Session) => {
        current = session;
        sentMs = performance.now();
        sentLateMs = Math.max(sentLateMs, sentMs - session.dueMs);
        const from = addressIn(session.network, session.visitor);
        connection.send(session.token === "" ? writeStart(page, from, siteIds[session.visitor % siteIds.length]!) : writeBeat(page, from, session.token, Math.floor(sentMs - session.lastMs)));
      };
      const connection = openConnection(url, {
        onOpen() {
          free.push(take);
          resolve(connection);
        },
        onAnswer(status, text) {
          const session = current!;
          const nowMs = performance.now();
          free.push(take);
          const next = waiting.shift();
          if (next) send(next);
          if (status !== 200 && status !== 201) {
            failed += 1;
            plan(session, nowMs + retryMs);
            return;
          }
          const answer = readAnswer(text);
          if (session.token === "") {
            starts += 1;
            live += 1;
          } else {
            beats += 1;
            latenciesMs.push(nowMs - sentMs);
            session.beats += 1;
            if (session.beats === 2) steady += 1;
          }
          session.token = answer.token;
          session.lastMs = nowMs;
          plan(session, nowMs + answer.next_ms);
        },
        onClose(isExpected) {
          const error = new Error(`${address} closed a connection`);
          reject(error);
          if (!isExpected) throw error;
        },
      });
    });
  await Promise.all(Array.from({ length: connections }, open));

  setInterval(() => {
    const nowMs = performance.now();
    const toBegin = Math.min(wanted, Math.floor(((nowMs - startedMs) * wanted) / (startSeconds * 1_000)));
    for (; begun < toBegin; begun += 1) send({ network: begun % networks, visitor: begun, token: "", beats: 0, lastMs: 0, dueMs: nowMs });
    for (const until = Math.floor((nowMs - startedMs) / tickMs); tick < until; tick += 1) {
      const due = ring[tick % ringTicks]!;
      ring[tick % ringTicks] = [];
      for (const session of due) send(session);
    }
  }, tickMs);

  return () => {
    const sorted = Float64Array.from(latenciesMs).toSorted();
    const quantile = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
    const counts = { live, steady, starts, beats, failed, p50Ms: quantile(0.5), p99Ms: quantile(0.99), sentLateMs };
    latenciesMs = [];
    [starts, beats, failed, sentLateMs] = [0, 0, 0, 0];
    return counts;
  };
});
