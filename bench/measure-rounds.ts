import { cpuSeconds, readThreadTimes } from "./cpu-time.ts";
import { type Load, type LoadTarget, measureAtRate, measureLoad } from "./measure-load.ts";
import type { BenchChild } from "./start-child.ts";

export type Contender = { name: string; child: BenchChild; apiKey: string; uniqueKeys: boolean; target?: LoadTarget };

/** One measurement of one contender. Microseconds are processor time per call; the database's is 0 without a server. */
export type Sample = Load & { mainUs: number; allUs: number; databaseUs: number };

export type RoundSettings = { rounds: number; seconds: number; connections: number };

const warmUpSecondsMax = 2;

/** How a contender is called, for so long over so many connections. */
const callOf = ({ apiKey, uniqueKeys, target }: Contender, { connections, seconds }: RoundSettings) => ({ apiKey, uniqueKeys, ...(target && { target }), connections, seconds });

async function measureOnce(contender: Contender, settings: RoundSettings, databasePid: number | undefined): Promise<Sample> {
  const { child } = contender;
  const read = () => ({ ...readThreadTimes(child.pid), databaseUs: databasePid === undefined ? 0 : cpuSeconds(databasePid) * 1e6 });
  const before = read();
  const load = await measureLoad(child.url, callOf(contender, settings));
  const after = read();
  const perCall = (part: keyof typeof after) => (after[part] - before[part]) / load.calls;
  return { ...load, mainUs: perCall("mainUs"), allUs: perCall("allUs"), databaseUs: perCall("databaseUs") };
}

/** Measures all contenders in each round, every round in another order, so that drift of the machine affects all of them alike. */
export async function measureRounds(title: string, contenders: readonly Contender[], settings: RoundSettings, databasePid?: number): Promise<Sample[][]> {
  const samples: Sample[][] = contenders.map(() => []);
  const warmUp = { ...settings, seconds: Math.min(settings.seconds, warmUpSecondsMax) };
  for (const contender of contenders) await measureOnce(contender, warmUp, databasePid);
  for (let round = 0; round < settings.rounds; round += 1) {
    process.stderr.write(`${title}: round ${round + 1} of ${settings.rounds}\n`);
    for (let turn = 0; turn < contenders.length; turn += 1) {
      const index = (round + turn) % contenders.length;
      samples[index]!.push(await measureOnce(contenders[index]!, settings, databasePid));
    }
  }
  return samples;
}

/** The contenders at the same fixed rate, in turns; who begins a round alternates. Returns the samples of each. */
export async function measureSameRate(
  title: string,
  contenders: readonly Contender[],
  { perSecond, ...settings }: RoundSettings & { perSecond: number },
): Promise<Load[][]> {
  const samples: Load[][] = contenders.map(() => []);
  for (let round = 0; round < settings.rounds; round += 1) {
    process.stderr.write(`${title} at ${perSecond.toFixed(0)} calls/s: round ${round + 1} of ${settings.rounds}\n`);
    const order = [...contenders.entries()];
    for (const [index, contender] of round % 2 === 0 ? order : order.toReversed()) {
      samples[index]!.push(await measureAtRate(contender.child.url, { ...callOf(contender, settings), perSecond }));
    }
  }
  return samples;
}
