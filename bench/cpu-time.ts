import { readdirSync, readFileSync } from "node:fs";

/** Linux reports processor time in hundredths of a second. */
const ticksPerSecond = 100;

type ProcessStat = { pid: number; parent: number; seconds: number };

/** The process name in parentheses may contain spaces, so fields are counted from the closing parenthesis. */
function parseStat(text: string): ProcessStat {
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const ticks = [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index]), 0);
  return { pid: Number.parseInt(text, 10), parent: Number(fields[1]), seconds: ticks / ticksPerSecond };
}

function readStats(): ProcessStat[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return [parseStat(readFileSync(`/proc/${pid}/stat`, "utf8"))];
      } catch {
        return []; // The process exited in the meantime.
      }
    });
}

/** Processor seconds used so far by a process and its descendants, including exited children. */
export function cpuSeconds(pid: number): number {
  const stats = readStats();
  const descendants = new Set([pid]);
  for (let before = 0; before !== descendants.size; ) {
    before = descendants.size;
    for (const each of stats) if (descendants.has(each.parent)) descendants.add(each.pid);
  }
  return stats.filter((each) => descendants.has(each.pid)).reduce((sum, each) => sum + each.seconds, 0);
}

export function parentOf(pid: number): number {
  return parseStat(readFileSync(`/proc/${pid}/stat`, "utf8")).parent;
}
