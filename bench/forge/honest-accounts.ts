/** Honest accounts: kinds of sites, how they measure and send, how large they are, how they grow. */
import { createDraws, type Draws } from "../../apps/api/test/scoring/draw-sessions.ts";
import {
  answerQuiz, type Behaviour, browseShop, drawBounce, fillInForm, followShortLink, passKiosk, playRounds, readBlog, refreshWallDisplay, waitForDownload, watchKioskFilm, workInPortal,
} from "./honest-behaviours.ts";
import {
  type Instrument, measureAsFlag, measureByCollector, measureByHeartbeat, measureFinely, measureInClasses, measureInQuarters, measureInSeconds, measureInTenths, measureTwoSignals,
} from "./honest-instruments.ts";
import { sendAfterOutages, sendAtOnce, type Sender, sendInBatch, sendSorted, sendToThreeEndpoints, sendWithRetries } from "./honest-senders.ts";
import { between, chance, pick, type Visit } from "./visit.ts";

/** When in a day calls arrive. */
export type Rhythm = "daytime" | "night" | "batch";

export type HonestKind = {
  name: string;
  behaviours: readonly Behaviour[];
  instruments: readonly Instrument[];
  sender: Sender;
  rhythm: Rhythm;
  /** Days a year on which many times the usual number of people come, most of them to leave at once. */
  crowdsPerYear: number;
};

const anyBehaviour = [browseShop, readBlog, fillInForm, workInPortal] as const;
const goodInstruments = [measureByCollector, measureFinely, measureInSeconds] as const;
const coarseInstruments = [measureInQuarters, measureByHeartbeat, measureInClasses, measureAsFlag, measureInTenths] as const;
const anyInstrument = [...goodInstruments, ...coarseInstruments] as const;

const usual = { instruments: goodInstruments, sender: sendAtOnce, rhythm: "daytime", crowdsPerYear: 1 } as const;

export const honestKinds: readonly HonestKind[] = [
  { ...usual, name: "shop", behaviours: [browseShop] },
  { ...usual, name: "blog", behaviours: [readBlog] },
  { ...usual, name: "game with fixed rounds", behaviours: [playRounds], instruments: anyInstrument },
  { ...usual, name: "quiz paced by the server", behaviours: [answerQuiz], instruments: anyInstrument },
  { ...usual, name: "kiosk with an idle time-out", behaviours: [passKiosk], instruments: anyInstrument, crowdsPerYear: 0 },
  // In whole minutes every visit to this kiosk would be the same: a constant body, which no check can excuse.
  { ...usual, name: "kiosk with one film", behaviours: [watchKioskFilm], instruments: [...goodInstruments, measureByHeartbeat, measureInClasses, measureInTenths], crowdsPerYear: 0 },
  { ...usual, name: "night-only site", behaviours: anyBehaviour, rhythm: "night" },
  { ...usual, name: "flash crowds", behaviours: anyBehaviour, instruments: anyInstrument, crowdsPerYear: 8 },
  { ...usual, name: "two pages, one form", behaviours: [fillInForm], instruments: anyInstrument },
  { ...usual, name: "batch sender", behaviours: anyBehaviour, instruments: anyInstrument, sender: sendInBatch, rhythm: "batch" },
  { ...usual, name: "batch sender, sorted", behaviours: anyBehaviour, instruments: anyInstrument, sender: sendSorted, rhythm: "batch" },
  { ...usual, name: "queue after outages", behaviours: anyBehaviour, instruments: anyInstrument, sender: sendAfterOutages },
  { ...usual, name: "quarters and minutes", behaviours: anyBehaviour, instruments: [measureInQuarters] },
  { ...usual, name: "beats of 15 seconds", behaviours: anyBehaviour, instruments: [measureByHeartbeat] },
  { ...usual, name: "classes of duration", behaviours: anyBehaviour, instruments: [measureInClasses] },
  { ...usual, name: "engaged or not", behaviours: anyBehaviour, instruments: [measureAsFlag] },
  { ...usual, name: "two signals only", behaviours: anyBehaviour, instruments: [measureTwoSignals] },
  { ...usual, name: "three endpoints per session", behaviours: anyBehaviour, instruments: anyInstrument, sender: sendToThreeEndpoints },
  { ...usual, name: "retries", behaviours: anyBehaviour, instruments: anyInstrument, sender: sendWithRetries },
  { ...usual, name: "countdown before a download", behaviours: [waitForDownload], instruments: anyInstrument },
  { ...usual, name: "wall displays", behaviours: [refreshWallDisplay], instruments: anyInstrument, crowdsPerYear: 0 },
  { ...usual, name: "link shortener", behaviours: [followShortLink], instruments: anyInstrument },
  { ...usual, name: "portal with a time-out", behaviours: [workInPortal], instruments: anyInstrument },
];

const sessionsPerDayMin = 20;
const sessionsPerDayMax = 4_000;
/** The exponent of the distribution of sizes: half of the accounts have fewer than 31 sessions a day, one in 100 more than 350. */
const sizeExponent = 1.6;
const growsToAtMost = 8;
const monthDays = 30;
const crowdBounceShare = 0.85;

export type HonestAccount = {
  kind: HonestKind;
  /** By how much it grows in 30 days. */
  monthlyGrowth: number;
  /** What it sends on its next day, in order. */
  nextDay(): Visit[];
};

function drawGrowth(draws: Draws): number {
  const part = draws.next();
  if (part < 0.7) return Math.exp(0.04 * draws.normal());
  return part < 0.9 ? between(draws, 1.05, 1.3) : between(draws, 1.3, 2);
}

export function openHonestAccount(index: number, seed: number): HonestAccount {
  const draws = createDraws(Math.imul(seed, 0x9e3779b1) + Math.imul(index + 1, 0x85ebca6b));
  const kind = honestKinds[index % honestKinds.length]!;
  const drawVisit = pick(draws, kind.behaviours)(draws);
  const measure = pick(draws, kind.instruments);
  const send = kind.sender(draws);
  const size = Math.min(sessionsPerDayMax, sessionsPerDayMin * (1 - draws.next()) ** (-1 / sizeExponent));
  const monthlyGrowth = drawGrowth(draws);
  const weekend = between(draws, 0.6, 1.4);
  let day = 0;
  return {
    kind,
    monthlyGrowth,
    nextDay() {
      const grown = Math.min(sessionsPerDayMax, size * Math.min(growsToAtMost, monthlyGrowth ** (day / monthDays)));
      const usualCount = grown * (day % 7 >= 5 ? weekend : 1) * Math.exp(0.15 * draws.normal());
      const crowdCount = chance(draws, kind.crowdsPerYear / 365) ? Math.min(2 * sessionsPerDayMax, usualCount * between(draws, 3, 30)) : 0;
      const bounceShare = (crowdCount / (crowdCount + usualCount)) * crowdBounceShare;
      day += 1;
      const count = Math.round(usualCount + crowdCount);
      return send(Array.from({ length: count }, () => measure(bounceShare > 0 && chance(draws, bounceShare) ? drawBounce(draws) : drawVisit())));
    },
  };
}
