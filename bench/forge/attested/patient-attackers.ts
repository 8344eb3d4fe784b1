/** Forgers who wait as visitors do, in an event loop: what bounds them is their networks. */
import { networkQuota, siteQuota } from "@assay/contract/attestation.ts";
import { setTimeout as sleep } from "node:timers/promises";
import { type AttackContext, createTally, type Outcome } from "./attack.ts";
import { beat, begin, redeem, type Sender } from "./visitor.ts";

export const wantedPerHour = 10_000;
const secondsPerHour = 3_600;
const secondsPerMinute = 60;

/** What the quotas let begin in a window: a minute's quota in each minute, an hour's in all. */
export const allowedIn = (networks: number, seconds: number): number => networks * Math.min(networkQuota.perHour * Math.ceil(seconds / secondsPerHour), networkQuota.perMinute * Math.ceil(seconds / secondsPerMinute));

/** An hour of it. Computed: the run is shorter. */
export const computePerHour = (networks: number): number => Math.min(wantedPerHour, networks * networkQuota.perHour, siteQuota.perHour);

type Patient = { name: string; networks: number; senderOf: (sender: Sender, visitor: number) => Sender };

export const eventLoopOver = (networks: number): Patient => ({ name: `event loop, ${wantedPerHour} sessions an hour, ${networks} network${networks === 1 ? "" : "s"}`, networks, senderOf: (sender) => sender });

/** Visitors' addresses, as the relay would write them. */
const visitorAddress = (visitor: number): string => `203.0.113.${1 + (visitor % 254)}`;

export const relays: readonly Patient[] = [
  { name: "relay through a server that names its visitors", networks: 1, senderOf: (sender, visitor) => ({ ...sender, forwarded: visitorAddress(visitor) }) },
  {
    name: "relay through a server that sends no Origin",
    networks: 1,
    senderOf({ url, address }) {
      return { url, address };
    },
  },
  { name: "relay through a server that sends what a browser sends", networks: 1, senderOf: (sender) => sender },
];

export async function runPatient({ name, networks, senderOf }: Patient, { url, takeAccount, takeNetworks, seconds }: AttackContext): Promise<Outcome> {
  const { apiKey, siteIds, origin } = takeAccount();
  const addresses = takeNetworks(networks);
  const tally = createTally();
  const attempted = Math.max(1, Math.floor((seconds * wantedPerHour) / secondsPerHour));

  async function pretend(visitor: number): Promise<void> {
    await sleep((visitor * secondsPerHour * 1_000) / wantedPerHour);
    const sender = senderOf({ url, address: addresses[visitor % networks]!, origin }, visitor);
    const session = await begin(sender, siteIds[0]!);
    if (!session) {
      tally.note("refused to begin");
      return;
    }
    await sleep(session.nextMs);
    const passedMs = Math.floor(performance.now() - session.askedMs);
    const answer = await beat(sender, session.token, { view_ms: passedMs, active_ms: Math.floor(passedMs / 2), clicks: visitor % 4, pages: 1, scroll: (visitor % 100) / 100 });
    if ("error" in answer) tally.note(answer.error);
    else tally.add(await redeem(url, { apiKey, token: answer.token, signals: {} }), passedMs);
  }

  await Promise.all(Array.from({ length: attempted }, (_, visitor) => pretend(visitor)));
  return { name, networks, attempted, forbidden: Math.max(0, tally.accepted() - allowedIn(networks, seconds)), perHour: computePerHour(networks), ...tally.sum() };
}
