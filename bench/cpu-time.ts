import { readdirSync, readFileSync } from "node:fs";

/** Linux counts processor time in hundredths of a second. */
const ticksPerSecond = 100;

type ProcessStat = { pid: number; parent: number; seconds: number };

/** The name in parentheses may hold spaces, so fields are counted from the last one on. */
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
        return []; // It ended between the two lines.
      }
    });
}

/** Processor seconds that a process, its children and those it has outlived have used so far. */
export function cpuSeconds(pid: number): number {
  const stats = readStats();
  const family = new Set([pid]);
  for (let before = 0; before !== family.size; ) {
    before = family.size;
    for (const each of stats) if (family.has(each.parent)) family.add(each.pid);
  }
  return stats.filter((each) => family.has(each.pid)).reduce((sum, each) => sum + each.seconds, 0);
}

export function parentOf(pid: number): number {
  return parseStat(readFileSync(`/proc/${pid}/stat`, "utf8")).parent;
}
