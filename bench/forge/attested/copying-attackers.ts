/** Forgers who use one session more than once. */
import { setTimeout as sleep } from "node:timers/promises";
import { type AttackContext, claimed, createTally, type Outcome } from "./attack.ts";
import { beat, begin, redeem, type Sender, type Session } from "./visitor.ts";

const delta = { view_ms: 3_000, active_ms: 2_000, clicks: 1, pages: 1, scroll: 0.4 };
/** Requests of one network are limited, so the copies are made in several. */
const copiesPerNetwork = 100;
const visits = 20;

/** A session as it should be: begun, waited for, beaten once. */
async function visit(sender: Sender, siteId: string): Promise<Session> {
  const session = await begin(sender, siteId);
  if (!session) throw new Error("a session was refused");
  await sleep(session.nextMs);
  const answer = await beat(sender, session.token, delta);
  if ("error" in answer) throw new Error(`a beat was refused: ${answer.error}`);
  return { ...session, token: answer.token };
}

/** One session, copied by beating on from the same token, and all copies redeemed at once, over all nodes. */
export async function fork(name: string, urls: readonly string[], { takeAccount, takeNetworks, copies, tell }: AttackContext): Promise<Outcome> {
  tell(name);
  const { apiKey, siteIds, origin } = takeAccount();
  const networks = Math.ceil(copies / copiesPerNetwork);
  const addresses = takeNetworks(networks);
  const senders = addresses.map((address, index) => ({ url: urls[index % urls.length]!, address, origin }));
  const { token, askedMs } = await visit(senders[0]!, siteIds[0]!);
  const forked = await Promise.all(Array.from({ length: copies }, (_, index) => beat(senders[index % networks]!, token, delta)));
  const tokens = forked.map((answer) => ("token" in answer ? answer.token : token));
  const passedMs = performance.now() - askedMs;
  const tally = createTally();
  await Promise.all(
    tokens.map(async (copy, index) => {
      const isWithKey = index % 4 === 0;
      const signals = index % 2 === 0 ? claimed : {};
      tally.add(await redeem(urls[index % urls.length]!, { apiKey, token: copy, signals, ...(isWithKey && { idempotencyKey: `copy-${index}` }) }), passedMs);
    }),
  );
  const different = new Set(tokens).size;
  // None at all would be as wrong: the session happened.
  return { name, networks, attempted: copies, forbidden: Math.abs(tally.accepted() - 1), perHour: undefined, note: `${different} different tokens of one session`, ...tally.sum() };
}

/** Sessions that happened and were redeemed once, and then everything else that their tokens could be tried for. */
export async function replay({ url, takeAccount, takeNetworks, tell }: AttackContext): Promise<Outcome> {
  const name = "replayer across accounts and sites";
  tell(name);
  const [own, other] = [takeAccount(), takeAccount()];
  const tally = createTally();
  let attempted = 0;
  const attempt = async (call: { apiKey: string; token: string; signals?: object; path?: string; idempotencyKey?: string }): Promise<void> => {
    attempted += 1;
    tally.add(await redeem(url, { signals: {}, ...call }));
  };
  await Promise.all(
    takeNetworks(visits).map(async (address, index) => {
      const sender = { url, address, origin: own.origin };
      const { token } = await visit(sender, own.siteIds[0]!);
      const idempotencyKey = `visit-${index}`;
      const first = await redeem(url, { apiKey: own.apiKey, token, signals: {}, idempotencyKey });
      if (!first.isAttested) throw new Error(`an honest session was not accepted: ${first.issues.join(", ")}`);
      const later = await beat(sender, token, delta);
      if ("error" in later) throw new Error(later.error);
      for (const path of ["/api/ml/predict", "/api/ml/score", "/api/ml/analyze"]) {
        await attempt({ apiKey: own.apiKey, token, path });
        await attempt({ apiKey: own.apiKey, token: later.token, path, signals: claimed });
        await attempt({ apiKey: other.apiKey, token, path });
      }
      await attempt({ apiKey: own.apiKey, token, idempotencyKey });
      await attempt({ apiKey: own.apiKey, token, idempotencyKey: `${idempotencyKey}-again` });
      const at = 30 + index;
      await attempt({ apiKey: own.apiKey, token: token.slice(0, at) + (token[at] === "A" ? "B" : "A") + token.slice(at + 1) });
      // On a page of another account's site.
      const moved = await beat({ ...sender, origin: other.origin }, token, delta);
      if ("error" in moved) tally.note(moved.error);
      else await attempt({ apiKey: other.apiKey, token: moved.token });
      const foreign = await begin({ ...sender, origin: other.origin }, own.siteIds[1]!);
      if (foreign) await attempt({ apiKey: other.apiKey, token: foreign.token });
      else tally.note("refused to begin");
    }),
  );
  return { name, networks: visits, attempted, forbidden: tally.accepted(), perHour: undefined, note: `${visits} sessions, each redeemed once before`, ...tally.sum() };
}
