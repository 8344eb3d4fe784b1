import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { TestAccount } from "../../make-account.ts";
import { goodBody } from "../../send.ts";

const answerMsMax = 40_000;
const tickMs = 5;
const body = JSON.stringify(goodBody);

/** One call as its client saw it: a status or an error message. */
export type SteadyAnswer = { outcome: string; latencyMs: number };

function call(agent: Agent, url: string, key: string): Promise<string> {
  return new Promise((resolve) => {
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body), "x-api-key": key };
    const outgoing = request(`${url}/api/ml/predict`, { method: "POST", agent, headers, timeout: answerMsMax }, (incoming) => {
      incoming.resume();
      incoming.on("end", () => resolve(String(incoming.statusCode)));
      incoming.on("error", (error) => resolve(error.message));
    });
    outgoing.on("timeout", () => outgoing.destroy(new Error("hung")));
    outgoing.on("error", (error) => resolve(error.message));
    outgoing.end(body);
  });
}

export type SteadySettings = {
  url: string;
  accounts: readonly TestAccount[];
  durationMs: number;
  connections: number;
  onAnswer?: (answer: SteadyAnswer) => void;
};

/** Closed-loop load: calls as fast as the connections allow. Returns calls per second. */
export async function measureCapacity({ url, accounts, durationMs, connections, onAnswer }: SteadySettings): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const startedMs = performance.now();
  let calls = 0;
  const isOver = () => performance.now() - startedMs >= durationMs;
  async function drive(): Promise<void> {
    while (!isOver()) {
      const sentMs = performance.now();
      const outcome = await call(agent, url, accounts[calls++ % accounts.length]!.liveKey);
      onAnswer?.({ outcome, latencyMs: performance.now() - sentMs });
    }
  }
  await Promise.all(Array.from({ length: connections }, drive));
  agent.destroy();
  return (calls * 1_000) / (performance.now() - startedMs);
}

/**
 * Open-loop load: calls at a fixed rate, independent of answers. Latency counts from the moment a call was due, so that
 * time in the queue is included (no coordinated omission).
 */
export async function holdRate(settings: SteadySettings & { perSecond: number }): Promise<void> {
  const { url, accounts, durationMs, connections, perSecond, onAnswer } = settings;
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const startedMs = performance.now();
  const calls = Math.floor((durationMs * perSecond) / 1_000);
  const inFlight = new Set<Promise<void>>();
  for (let made = 0; made < calls; ) {
    const due = Math.min(calls, Math.floor(((performance.now() - startedMs) * perSecond) / 1_000));
    for (; made < due; made += 1) {
      const dueMs = startedMs + (made * 1_000) / perSecond;
      const { liveKey } = accounts[made % accounts.length]!;
      const one: Promise<void> = call(agent, url, liveKey).then((outcome) => {
        inFlight.delete(one);
        onAnswer?.({ outcome, latencyMs: performance.now() - dueMs });
      });
      inFlight.add(one);
    }
    await sleep(tickMs);
  }
  await Promise.all(inFlight);
  agent.destroy();
}
