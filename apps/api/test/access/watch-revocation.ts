import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { predict } from "../send.ts";

/** From this long after its revocation was acknowledged, no node may serve a key. */
const revokedMsMax = 1_000;
const askEveryMs = 25;
/** Calls per node that must be refused after that time. */
const lateRefusals = 3;

type Node = { url: string };
type Revocation = { begunMs: number; acknowledgedMs: number };

async function useKey(node: Node, key: string, revocation: Revocation): Promise<void> {
  for (let refused = 0; refused < lateRefusals; await sleep(askEveryMs)) {
    const startedMs = performance.now();
    const { status } = await predict(node, key);
    const lateMs = startedMs - (revocation.acknowledgedMs + revokedMsMax);
    if (status === 401) assert.ok(performance.now() >= revocation.begunMs, `${node.url} refused a valid key`);
    // A node that sheds load serves nothing; the call is repeated.
    else if (status !== 503) assert.ok(status === 200 && lateMs <= 0, `${node.url} answered ${status} to a call ${lateMs} ms too late`);
    if (status === 401 && lateMs > 0) refused += 1;
  }
}

/** Uses the key on every node, before and after `revoke`. No call that starts a second or more after it returned may be served. */
export async function assertRevokedInTime(nodes: readonly Node[], key: string, revoke: () => Promise<unknown>): Promise<void> {
  const revocation: Revocation = { begunMs: Number.POSITIVE_INFINITY, acknowledgedMs: Number.POSITIVE_INFINITY };
  const uses = Promise.all(nodes.map((node) => useKey(node, key, revocation)));
  uses.catch(() => {});
  // The key must be in every node's cache.
  for (const node of nodes) assert.equal((await predict(node, key)).status, 200);
  revocation.begunMs = performance.now();
  await revoke();
  revocation.acknowledgedMs = performance.now();
  await uses;
}
