import type { AppHost } from "../collector.ts";
import type { Storage } from "../keep-visits.ts";

export type Posted = { url: string; body: { session_data: Record<string, unknown>; sequence: number; session_token?: string; [name: string]: unknown }; headers: Record<string, string> };
export type Asked = { name: string; body: { site?: string; token?: string; d?: Record<string, number> } };
type Answer = { status: number; headers?: Record<string, string>; body?: unknown };

const answerOf = ({ status, headers = {}, body }: Answer) => ({ status, headers: { get: (name: string) => headers[name] ?? null }, json: () => Promise.resolve(body) });

/** An app without a phone: its clock, its timers, whether it is in the foreground, and what it sends. */
export function createFakeApp(startMs = 1_800_000_000_000) {
  let nowMs = startMs;
  let isActive = true;
  let timers: { atMs: number; work: () => void }[] = [];
  const listeners = new Set<() => void>();
  const posted: Posted[] = [];
  const asked: Asked[] = [];
  const warnings: string[] = [];

  /** Lets everything run that waits for no timer. */
  const settle = async () => {
    for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
  };

  /** How the two servers answer; undefined: not at all. */
  const answers = {
    server: (): Answer | undefined => ({ status: 204 }),
    assay: (_name: string): Answer | undefined => ({ status: 200, body: { token: `token-${asked.length}`, next_ms: 5_000 } }),
  };

  return {
    answers,
    posted,
    asked,
    warnings,
    nowMs: () => nowMs,
    setClock(ms: number) {
      nowMs = ms;
    },
    waiting: () => timers.length,
    /** How long until the next timer. */
    nextMs: () => Math.min(...timers.map(({ atMs }) => atMs)) - nowMs,
    settle,
    async pass(ms: number) {
      const endMs = nowMs + ms;
      await settle();
      for (;;) {
        const [next] = timers.filter(({ atMs }) => atMs <= endMs).toSorted((a, b) => a.atMs - b.atMs);
        if (!next) break;
        timers = timers.filter((each) => each !== next);
        nowMs = Math.max(nowMs, next.atMs);
        next.work();
        await settle();
      }
      nowMs = endMs;
    },
    go(to: "foreground" | "background") {
      isActive = to === "foreground";
      for (const listener of listeners) listener();
    },
    listening: () => listeners.size,
    host: {
      nowMs: () => nowMs,
      random: () => 1,
      after(ms, work) {
        const timer = { atMs: nowMs + ms, work };
        timers.push(timer);
        return () => {
          timers = timers.filter((each) => each !== timer);
        };
      },
      async fetch(url, { body }) {
        const name = url.slice(url.lastIndexOf("/") + 1);
        asked.push({ name, body: JSON.parse(body) as Asked["body"] });
        const answer = answers.assay(name);
        if (!answer) throw new TypeError("Network request failed");
        return answerOf(answer);
      },
      async post(url, { body, headers }) {
        posted.push({ url, headers, body: JSON.parse(body) as Posted["body"] });
        const answer = answers.server();
        if (!answer) throw new TypeError("Network request failed");
        return answerOf(answer);
      },
      warn: (text) => warnings.push(text),
      isActive: () => isActive,
      onChange(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      windowHeight: () => 800,
    } satisfies AppHost,
  };
}

export type FakeApp = ReturnType<typeof createFakeApp>;

/** Storage like AsyncStorage, in memory. */
export function createFakeStorage(kept: Record<string, string> = {}) {
  const storage: Storage & { kept: Record<string, string> } = {
    kept,
    getItem: async (key) => kept[key] ?? null,
    async setItem(key, value) {
      kept[key] = value;
    },
    async removeItem(key) {
      delete kept[key];
    },
  };
  return storage;
}
