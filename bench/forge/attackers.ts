/** Accounts that send what never happened. Each forger knows everything that the project publishes. */
import { currentPeople } from "@assay/scoring/current-model.ts";
import type { SignalName } from "@assay/scoring/signals.ts";
import { createDraws, type Draws } from "../../apps/api/test/scoring/draw-sessions.ts";
import { browseShop } from "./honest-behaviours.ts";
import { measureByCollector, measureInSeconds } from "./honest-instruments.ts";
import type { ClickHabit } from "./forged-clicks.ts";
import { between, chance, makeVisit, pick, roundTo, shareOf, type Visit } from "./visit.ts";

/** Day 0 is the first. */
type Forger = (day: number) => Visit[];

export type Attacker = {
  name: string;
  accounts: number;
  /** How many different bank accounts they name. */
  payees: number;
  callsPerDay: number;
  /** The first day on which something is forged. */
  forgesFrom: number;
  open(draws: Draws): Forger;
  /** Beside the calls for scores. */
  analysesPerDay?: number;
  clicks?: ClickHabit;
  /** It sends one body again and again, or nothing that could be examined: it is paid nothing. */
  isNaive?: true;
  /** What the accounts chose; default: the installation's. */
  retentionDays?: number;
  /** How its accounts write their bank account, in turn. */
  spellings?: readonly BankSpelling[];
  /** Whether an account that was paid gives up the rest, closes, and begins anew with the same bank account. */
  reopens?: true;
};

export type BankSpelling = { account: string; bank_code: string | null };

/** One German bank account. */
const fiveSpellings: readonly BankSpelling[] = [
  { account: "DE89370400440532013000", bank_code: null },
  { account: "0532013000", bank_code: "37040044" },
  { account: "532013000", bank_code: "COBADEFF" },
  { account: "0532013000", bank_code: "COBADEFFXXX" },
  { account: "370400440532013000", bank_code: null },
];

const repeat = (count: number, draw: () => Visit): Visit[] => Array.from({ length: count }, draw);

/** The body that the interface's own example has. */
const exampleBody = makeVisit({ user_engagement: 0.75, session_duration: 180, scroll_depth: 0.8, interaction_count: 12, page_views: 5, return_visitor: 1 });
const emptyBody = makeVisit({ user_engagement: 0, session_duration: 0 });

const jitterShare = 0.03;

/** A few percent more or less of everything. */
const drawJittered = (draws: Draws, body: Visit): Visit => {
  const vary = (value: number) => value * (1 + between(draws, -jitterShare, jitterShare));
  return {
    user_engagement: roundTo(shareOf(vary(body.user_engagement!)), 3),
    session_duration: roundTo(vary(body.session_duration!), 1),
    scroll_depth: roundTo(shareOf(vary(body.scroll_depth!)), 3),
    interaction_count: Math.round(vary(body.interaction_count!)),
    page_views: Math.round(vary(body.page_views!)),
    return_visitor: body.return_visitor,
  };
};

/** The share of a standard normal distribution below `value` (the logistic approximation is close enough to forge with). */
const normalShareBelow = (value: number): number => 1 / (1 + Math.exp(-1.5976 * value - 0.07056 * value ** 3));

/** Between two published deciles the forger goes straight; of the last tenth it takes the beginning. */
function quantileOf(name: SignalName, share: number): number {
  const deciles = currentPeople[name]!;
  const at = Math.min(share, 0.93) * (deciles.length - 1);
  const below = Math.floor(at);
  const [low, high] = [deciles[below]!, deciles[Math.min(below + 1, deciles.length - 1)]!];
  return below === deciles.length - 2 ? low * (1 + 2 * (at - below)) : low + (high - low) * (at - below);
}

/** The published deciles of people, with signals that hang together through one latent factor. */
export function drawFromQuantiles(draws: Draws): Visit {
  const latent = draws.normal();
  const shareAt = (loading: number) => normalShareBelow(loading * latent + Math.sqrt(1 - loading ** 2) * draws.normal());
  return makeVisit({
    user_engagement: roundTo(shareOf(quantileOf("user_engagement", shareAt(0.3))), 4),
    session_duration: Math.round(quantileOf("session_duration", shareAt(0.9))),
    interaction_count: Math.round(quantileOf("interaction_count", shareAt(0.8))),
    page_views: Math.max(1, Math.round(quantileOf("page_views", shareAt(0.8)))),
    return_visitor: Number(quantileOf("return_visitor", shareAt(0.2)) >= 0.5),
  });
}

const callsPerDay = 1_000;
const single = { accounts: 1, payees: 1, callsPerDay, forgesFrom: 0 } as const;
const farmAccounts = 50;
const farmCallsPerDay = 20;
export const turnsOnDay = 182;
const callsBeforeTurning = 100;

/** `realSessions`: measured sessions of people, which two attackers send again. */
export function listAttackers(realSessions: readonly Visit[]): Attacker[] {
  const farm = { accounts: farmAccounts, callsPerDay: farmCallsPerDay, forgesFrom: 0, open: (draws: Draws) => () => repeat(farmCallsPerDay, () => drawFromQuantiles(draws)) };
  return [
    { ...single, name: "constant body", isNaive: true, open: () => () => repeat(callsPerDay, () => exampleBody) },
    { ...single, name: "constant body of zeros", isNaive: true, open: () => () => repeat(callsPerDay, () => emptyBody) },
    { ...single, name: "loop with 3 % jitter", isNaive: true, open: (draws) => () => repeat(callsPerDay, () => drawJittered(draws, exampleBody)) },
    { ...single, name: "another constant body every hour", isNaive: true, open: openRotatingBodies },
    { ...single, name: "published quantiles, latent factor", open: (draws) => () => repeat(callsPerDay, () => drawFromQuantiles(draws)) },
    { ...single, name: "resampled real sessions", open: (draws) => () => repeat(callsPerDay, () => pick(draws, realSessions)) },
    {
      ...single,
      name: "bought visits, half real, half forged",
      open(draws) {
        const drawPerson = browseShop(draws);
        return () => repeat(callsPerDay, () => (chance(draws, 0.5) ? measureByCollector(drawPerson()) : drawFromQuantiles(draws)));
      },
    },
    { ...farm, name: "farm of 50 accounts, one payee", payees: 1 },
    { ...farm, name: "farm of 50 accounts, 50 payees", payees: farmAccounts },
    { ...farm, name: "farm of 50 accounts, 50 payees, one pool of real sessions", payees: farmAccounts, open: (draws) => () => repeat(farmCallsPerDay, () => pick(draws, realSessions)) },
    { ...farm, name: "farm of 50 accounts, 50 payees, a constant body each", payees: farmAccounts, open: openConstantBody },
    {
      ...single,
      name: "honest for 6 months, then a jittered loop",
      forgesFrom: turnsOnDay,
      open(draws) {
        const drawPerson = browseShop(draws);
        return (day) => (day < turnsOnDay ? repeat(callsBeforeTurning, () => measureInSeconds(drawPerson())) : repeat(callsPerDay, () => drawJittered(draws, exampleBody)));
      },
    },
  ];
}

const clicking = { ...single, callsPerDay: 0, open: () => () => [] } as const;

/** What leaves nothing to compare, stays below every evidence over days, or is several accounts of one person. */
export function listUnseen(): Attacker[] {
  const drawAll = (draws: Draws) => () => repeat(callsPerDay, () => drawFromQuantiles(draws));
  return [
    { ...single, name: "five accounts, five spellings of one bank account", accounts: fiveSpellings.length, spellings: fiveSpellings, open: drawAll },
    { ...single, name: "paid, closed, and back with the same bank account", reopens: true, open: drawAll },
    { ...clicking, name: "analyses in a loop", analysesPerDay: 1_600 },
    { ...single, name: "one exact session, one day in ten", open: () => (day) => (day % 10 === 0 ? repeat(1_900, () => exampleBody) : []) },
    { ...single, name: "constant body, retention of a day", isNaive: true, retentionDays: 1, open: () => () => repeat(callsPerDay, () => exampleBody) },
    { ...clicking, name: "clicks at 100 %, one network", clicks: { clicks: 40, rate: 1, networks: 1 } },
    { ...clicking, name: "clicks at 30 %, one network", clicks: { clicks: 40, rate: 0.3, networks: 1 } },
    { ...clicking, name: "clicks at 14 %, one network", clicks: { clicks: 40, rate: 0.14, networks: 1 } },
    { ...clicking, name: "clicks at 100 %, a hundred networks", clicks: { clicks: 40, rate: 1, networks: 100 } },
    { ...clicking, name: "clicks at 30 %, a hundred networks", clicks: { clicks: 40, rate: 0.3, networks: 100 } },
    { ...clicking, name: "clicks at 28 %, full-screen, a hundred networks", clicks: { clicks: 40, rate: 0.28, networks: 100, placement: "fullscreen" } },
    { ...clicking, name: "clicks at 14 %, a hundred networks", clicks: { clicks: 40, rate: 0.14, networks: 100 } },
    { ...clicking, name: "clicks at 4 %, a hundred networks", clicks: { clicks: 20, rate: 0.04, networks: 100 } },
    { ...clicking, name: "farm of 10 accounts, 10 payees, clicks at 14 %", accounts: 10, payees: 10, clicks: { clicks: 10, rate: 0.14, networks: 100 } },
    { ...single, name: "quantiles, analyses and clicks together", callsPerDay: 200, analysesPerDay: 200, clicks: { clicks: 20, rate: 0.1, networks: 100 }, open: (draws) => () => repeat(200, () => drawFromQuantiles(draws)) },
  ];
}

function openConstantBody(draws: Draws): Forger {
  const body = drawFromQuantiles(draws);
  return () => repeat(farmCallsPerDay, () => body);
}

function openRotatingBodies(draws: Draws): Forger {
  return () => {
    const bodies = repeat(24, () => drawJittered(draws, { ...exampleBody, session_duration: between(draws, 20, 900), user_engagement: between(draws, 0.2, 0.9) }));
    return Array.from({ length: callsPerDay }, (_, index) => bodies[Math.floor((index * bodies.length) / callsPerDay)]!);
  };
}

/** Not attackers: what looks like one, and may be found. */
export function listMishaps(): Attacker[] {
  const usualCalls = 200;
  const openShop = (draws: Draws) => {
    const drawPerson = browseShop(draws);
    return () => repeat(usualCalls, () => measureByCollector(drawPerson()));
  };
  return [
    { ...single, name: "uptime probe with a live key", callsPerDay: 1_440, open: () => () => repeat(1_440, () => exampleBody) },
    {
      ...single,
      name: "one day of zeros after a deployment",
      callsPerDay: usualCalls,
      forgesFrom: 60,
      open(draws) {
        const shop = openShop(draws);
        return (day) => (day === 60 ? repeat(usualCalls, () => ({ ...emptyBody, page_views: 1 })) : shop());
      },
    },
    {
      ...single,
      name: "one stuck job, retried every minute of a day",
      callsPerDay: usualCalls,
      forgesFrom: 60,
      open(draws) {
        const shop = openShop(draws);
        return (day) => (day === 60 ? [...shop(), ...repeat(1_440, () => exampleBody)] : shop());
      },
    },
  ];
}

export const openForgers = (attacker: Attacker, seed: number): Forger[] =>
  Array.from({ length: attacker.accounts }, (_, index) => attacker.open(createDraws(Math.imul(seed + index, 0x9e3779b1) ^ attacker.name.length)));
