import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { TestAccount } from "../../make-account.ts";
import type { Attempt, CallBook, CallRecord } from "./call-book.ts";
import type { SeededRandom } from "./seeded-random.ts";

/** Longer than the service may take for a call under any fault. */
const answerMsMax = 40_000;
/** Clients pause briefly after a failed call. */
const pauseAfterFailureMs = 20;
const callsPerConnectionMax = 20_000;

/** One keep-alive connection, which is reopened when it closes. */
export const openConnection = (): Agent => new Agent({ keepAlive: true, maxSockets: 1 });

/** The `ref` of the call's ledger entry. */
const refOf = (answer: { session_id?: string; analysis_id?: string }): string => String(answer.session_id ?? answer.analysis_id);

function readAnswer(status: number, text: string, headers: NodeJS.Dict<string | string[]>): Attempt {
  const receipt = headers["assay-receipt"];
  return {
    kind: "answered",
    status,
    text,
    sessionId: status === 200 ? refOf(JSON.parse(text) as { session_id?: string; analysis_id?: string }) : undefined,
    receipt: typeof receipt === "string" ? receipt : undefined,
    replayed: headers["idempotent-replayed"] === "true",
    requestId: headers["x-request-id"] as string | undefined,
  };
}

/** Makes one attempt at the call and records its result. */
export async function attemptCall(connection: Agent, url: string, record: CallRecord): Promise<Attempt> {
  const attempt = await new Promise<Attempt>((resolve) => {
    const outgoing = request(url + record.path, {
      method: "POST",
      agent: connection,
      headers: {
        "content-type": "application/json",
        "content-length": Buffer.byteLength(record.body),
        "x-api-key": record.account.liveKey,
        ...(record.idempotencyKey !== undefined && { "idempotency-key": record.idempotencyKey }),
      },
    });
    const timer = setTimeout(() => {
      resolve({ kind: "hung" });
      outgoing.destroy();
    }, answerMsMax);
    const end = (how: Attempt) => {
      clearTimeout(timer);
      resolve(how);
    };
    const fail = (error: NodeJS.ErrnoException) =>
      end(error.code === "ECONNREFUSED" ? { kind: "refused" } : { kind: "cut", reason: error.code ?? error.message });
    outgoing.on("error", fail);
    outgoing.on("response", (incoming) => {
      let text = "";
      incoming.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      incoming.on("error", fail);
      incoming.on("end", () => end(readAnswer(incoming.statusCode ?? 0, text, incoming.headers)));
    });
    outgoing.end(record.body);
  });
  record.attempts.push(attempt);
  return attempt;
}

export type Load = {
  /** Stops after the current call of each client. */
  stop(): Promise<void>;
  /** Resolves when every client has stopped. */
  ended: Promise<void>;
};

export type LoadSettings = {
  book: CallBook;
  random: SeededRandom;
  accounts: readonly TestAccount[];
  /** Number of clients, one per connection. They are distributed over `urls`, and each keeps its own. */
  connections: number;
  urls: readonly string[];
  /** Whether a client stops at the first attempt without an answer. */
  endsWhenCut: boolean;
  /** Share of calls with an Idempotency-Key. */
  keyedShare?: number;
  /** Longest pause of a client between two calls; default: none. */
  thinkMsMax?: number;
  /** Called as soon as a 200 is complete, with the time at which its call began. */
  onAnswer?: (startedMs: number) => void;
};

const hasEnded = (attempt: Attempt, settings: LoadSettings): boolean =>
  attempt.kind === "hung" || (settings.endsWhenCut && attempt.kind !== "answered");

/** Starts clients that make one call after another, with at most one call in flight per connection. */
export function startLoad(settings: LoadSettings): Load {
  const { book, random, accounts, urls, keyedShare = 0.5 } = settings;
  const state = { stopped: false };

  async function runClient(index: number): Promise<void> {
    const connection = openConnection();
    const url = urls[index % urls.length]!;
    try {
      for (let calls = 0; calls < callsPerConnectionMax && !state.stopped; calls += 1) {
        const account = accounts[random.between(0, accounts.length - 1)]!;
        const startedMs = performance.now();
        const attempt = await attemptCall(connection, url, book.open(account, random.isTrue(keyedShare)));
        if (attempt.kind === "answered" && attempt.status === 200) settings.onAnswer?.(startedMs);
        if (hasEnded(attempt, settings)) return;
        if (attempt.kind !== "answered" || attempt.status !== 200) await sleep(pauseAfterFailureMs);
        else if (settings.thinkMsMax !== undefined) await sleep(random.between(0, settings.thinkMsMax));
      }
    } finally {
      connection.destroy();
    }
  }

  const ended = Promise.all(Array.from({ length: settings.connections }, (_, index) => runClient(index))).then(() => {});
  return {
    ended,
    stop() {
      state.stopped = true;
      return ended;
    },
  };
}

/** Retries each of these calls once, a few at a time. */
export async function retryCalls(url: string, records: readonly CallRecord[], connections = 8): Promise<void> {
  const left = [...records];
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const connection = openConnection();
      for (let record = left.pop(); record; record = left.pop()) await attemptCall(connection, url, record);
      connection.destroy();
    }),
  );
}
