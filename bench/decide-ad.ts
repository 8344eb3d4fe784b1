// node bench/decide-ad.ts [--decisions N], or npm run bench -- --only ads, which also measures whole requests
// Decision time of the auction by number of active campaigns, without HTTP and database.
import { parseArgs } from "node:util";
import { buildSnapshot } from "../apps/api/src/ads/auction/build-snapshot.ts";
import { type AuctionRequest, decide, type Decision } from "../apps/api/src/ads/auction/decide.ts";
import { createLiveOffers } from "../apps/api/src/ads/auction/live-offers.ts";
import type { AuctionCampaign, ClickHistory } from "../apps/api/src/ads/auction/snapshot.ts";
import { learnTrafficCurve } from "../apps/api/src/ads/auction/traffic-curve.ts";
import { adFormats, placements } from "../apps/api/src/ads/campaigns/image-formats.ts";
import { createSeededRandom, type SeededRandom } from "../apps/api/test/faults/rig/seeded-random.ts";

const sizes = [100, 1_000, 10_000];
export const decisionsDefault = 20_000;
const nowMs = Date.parse("2026-03-04T12:00:00Z");
const categories = ["gaming", "news", "shopping", "travel", "finance", "music", "sports", "food"];
const usd = 1_000_000;

type Inventory = { campaigns: AuctionCampaign[]; history: ClickHistory[]; requests: () => AuctionRequest };
type Shape = { title: string; make: (size: number, random: SeededRandom) => Inventory };

function makeCampaign(index: number, random: SeededRandom): AuctionCampaign {
  return {
    id: `campaign ${index}`,
    // Some advertisers run many campaigns, most run few.
    advertiserId: `advertiser ${Math.floor(index * random.next() ** 2)}`,
    house: false,
    bidMicroUsd: Math.round(50_000 * Math.exp(2 * random.next())),
    budgetMicroUsd: 100 * usd,
    spentMicroUsd: random.between(0, 90) * usd,
    dailyBudgetMicroUsd: random.isTrue(0.5) ? 10 * usd : undefined,
    spentTodayMicroUsd: random.between(0, 4) * usd,
    startsMs: 0,
    endsMs: undefined,
    categories: [],
    placements: [],
    minTrust: random.isTrue(0.1) ? 70 : 0,
    attestedOnly: false,
    pacing: random.isTrue(0.5) ? "even" : "asap",
    creatives: [{ id: `creative ${index}`, format: "banner" }],
  };
}

function makeHistory(campaigns: readonly AuctionCampaign[], random: SeededRandom): ClickHistory[] {
  return campaigns.flatMap(({ creatives }) =>
    creatives.map(({ id }) => {
      const impressions = random.isTrue(0.3) ? 0 : Math.round(Math.exp(12 * random.next()));
      const clicks = Math.round(impressions * 0.02 * random.next());
      return { creativeId: id, placement: "feed", category: random.isTrue(0.5) ? "gaming" : "", impressions, clicks };
    }),
  );
}

const shapes: Shape[] = [
  {
    title: "one bucket",
    make(size, random) {
      const campaigns = Array.from({ length: size }, (_, index) => makeCampaign(index, random));
      return { campaigns, history: makeHistory(campaigns, random), requests: requestsOf(random, () => ({})) };
    },
  },
  {
    title: "one bucket, identical campaigns without history",
    make(size, random) {
      const alike = { bidMicroUsd: 250_000, spentMicroUsd: 0, spentTodayMicroUsd: 0, minTrust: 0, attestedOnly: false, pacing: "asap" } as const;
      const campaigns = Array.from({ length: size }, (_, index) => ({ ...makeCampaign(index, random), ...alike }));
      return { campaigns, history: [], requests: requestsOf(random, () => ({})) };
    },
  },
  {
    title: "one bucket, half of the budgets exhausted",
    make(size, random) {
      const campaigns = Array.from({ length: size }, (_, index) => {
        const campaign = makeCampaign(index, random);
        return index % 2 === 0 ? campaign : { ...campaign, spentMicroUsd: campaign.budgetMicroUsd };
      });
      return { campaigns, history: makeHistory(campaigns, random), requests: requestsOf(random, () => ({})) };
    },
  },
  {
    title: "one bucket, half of the campaigns ask for attested sessions, one request in ten is attested",
    make(size, random) {
      const campaigns = Array.from({ length: size }, (_, index) => ({ ...makeCampaign(index, random), attestedOnly: index % 2 === 1 }));
      const attest = () => (random.isTrue(0.1) ? { isAttested: true, verifiedTrust: 100 * random.next() } : {});
      return { campaigns, history: makeHistory(campaigns, random), requests: requestsOf(random, attest) };
    },
  },
  {
    title: "one bucket, every daily budget exhausted, so that every campaign is examined and none can serve",
    make(size, random) {
      const used = { dailyBudgetMicroUsd: 10 * usd, spentTodayMicroUsd: 10 * usd };
      const campaigns = Array.from({ length: size }, (_, index) => ({ ...makeCampaign(index, random), ...used }));
      return { campaigns, history: makeHistory(campaigns, random), requests: requestsOf(random, () => ({})) };
    },
  },
  {
    title: "many buckets",
    make(size, random) {
      const one = <Value>(values: readonly Value[]) => values[random.between(0, values.length - 1)]!;
      const campaigns = Array.from({ length: size }, (_, index): AuctionCampaign => {
        const creatives = [{ id: `creative ${index}`, format: one(adFormats) }];
        return { ...makeCampaign(index, random), creatives, placements: [one(placements)], categories: [one(categories)] };
      });
      const vary = () => ({ format: one(adFormats), placement: one(placements), category: one(categories) });
      return { campaigns, history: makeHistory(campaigns, random), requests: requestsOf(random, vary) };
    },
  },
];

function requestsOf(random: SeededRandom, vary: () => Partial<AuctionRequest>): () => AuctionRequest {
  return () => ({
    format: "banner",
    placement: "feed",
    category: "gaming",
    verifiedTrust: random.isTrue(0.5) ? 100 * random.next() : undefined,
    houseAdsAllowed: true,
    nowMs,
    random: random.next,
    floorMicroUsd: 10_000,
    ...vary(),
  });
}

/** `p99BestUs`: each decision is timed three times and the shortest counts, which excludes interference by other programs. */
type Figures = { meanUs: number; p50Us: number; p99Us: number; p99BestUs: number; buildMs: number; filled: number };

const repeats = 3;

/** Makes copies of the request that draw the same random numbers. */
function repeatable(request: AuctionRequest): () => AuctionRequest {
  const draws = [request.random(), request.random()];
  return () => {
    let taken = 0;
    return { ...request, random: () => draws[taken++ % draws.length]! };
  };
}

function measure(shape: Shape, size: number, decisions: number): Figures {
  const random = createSeededRandom(size);
  const { campaigns, history, requests } = shape.make(size, random);
  const liveOffers = createLiveOffers();
  const curve = learnTrafficCurve(Array.from({ length: 24 }, (_, hour) => 1_000 + 800 * Math.sin(hour / 4)));
  const buildStartedMs = performance.now();
  const snapshot = buildSnapshot(campaigns, history, { nowMs, liveOffers, curve });
  decide(snapshot, requests());
  const buildMs = performance.now() - buildStartedMs;
  const times = new Float64Array(decisions);
  const bestTimes = new Float64Array(decisions);
  let filled = 0;
  const warmUp = Math.min(decisions, 5_000);
  for (let index = -warmUp; index < decisions; index += 1) {
    const again = repeatable(requests());
    let decision: Decision | undefined;
    let bestUs = Number.POSITIVE_INFINITY;
    for (let repeat = 0; repeat < repeats; repeat += 1) {
      const request = again();
      const startedMs = performance.now();
      decision = decide(snapshot, request);
      const tookUs = (performance.now() - startedMs) * 1_000;
      if (repeat === 0 && index >= 0) times[index] = tookUs;
      bestUs = Math.min(bestUs, tookUs);
    }
    if (index < 0) continue;
    bestTimes[index] = bestUs;
    if (decision?.kind !== "offer") continue;
    filled += 1;
    // A third of the offers stay outstanding, so that budgets and pacing take them into account.
    const { campaign, priceMicroUsd, expectedClickRate } = decision;
    if (index % 3 === 0) liveOffers.add({ campaignId: campaign.id, priceMicroUsd, expectedClickRate, offeredMs: nowMs });
  }
  const meanUs = times.reduce((sum, time) => sum + time, 0) / decisions;
  const at = (sorted: Float64Array, share: number) => sorted[Math.floor(share * (decisions - 1))]!;
  times.sort();
  bestTimes.sort();
  return { meanUs, p50Us: at(times, 0.5), p99Us: at(times, 0.99), p99BestUs: at(bestTimes, 0.99), buildMs, filled: filled / decisions };
}

export function benchDecisions(decisions: number): void {
  for (const shape of shapes) {
    console.log(`\nDecision alone, ${shape.title} (${decisions} decisions; × = p50 relative to the previous size)`);
    console.log(" campaigns   mean µs    p50 µs    p99 µs   best of 3, p99 µs        ×    filled   index and first decision ms");
    let previous: Figures | undefined;
    for (const size of sizes) {
      const figures = measure(shape, size, decisions);
      const cells = [
        String(size).padStart(10),
        figures.meanUs.toFixed(1).padStart(9),
        figures.p50Us.toFixed(1).padStart(9),
        figures.p99Us.toFixed(1).padStart(9),
        figures.p99BestUs.toFixed(1).padStart(19),
        (previous ? (figures.p50Us / previous.p50Us).toFixed(1) : "").padStart(8),
        `${(100 * figures.filled).toFixed(0)}%`.padStart(9),
        figures.buildMs.toFixed(1).padStart(29),
      ];
      console.log(cells.join(" "));
      previous = figures;
    }
  }
}

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({ options: { decisions: { type: "string", default: String(decisionsDefault) } } });
  benchDecisions(Number(values.decisions));
}
