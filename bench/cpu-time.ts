import { readdirSync, readFileSync } from "node:fs";
import pg from "pg";

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

/** Processor time of one process so far: of the main thread, which runs the event loop, and of all its threads together. */
export type ThreadTimes = { mainUs: number; allUs: number };

/** Unlike `cpuSeconds` exact to the nanosecond, so that it suits short measurements; threads that ended are not included. */
export function readThreadTimes(pid: number): ThreadTimes {
  const times = readdirSync(`/proc/${pid}/task`).map((thread) => {
    try {
      const nanoseconds = Number.parseInt(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8"), 10);
      return { isMain: thread === String(pid), us: nanoseconds / 1_000 };
    } catch {
      return { isMain: false, us: 0 }; // The thread ended in the meantime.
    }
  });
  return { mainUs: times.find(({ isMain }) => isMain)?.us ?? Number.NaN, allUs: times.reduce((sum, { us }) => sum + us, 0) };
}

/** The process of the PostgreSQL server, whose children are the backends. */
export async function findPostgresPid(databaseUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  const { parent } = parseStat(readFileSync(`/proc/${rows[0]!.pid}/stat`, "utf8"));
  await client.end();
  return parent;
}
