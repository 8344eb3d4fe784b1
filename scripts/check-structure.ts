// What dependency-cruiser's rules cannot say of the service's layout: see .dependency-cruiser.cjs for the rest.

/** Between files of apps/api/src, as paths within it. */
export type Import = { from: string; to: string };

export type Wings = {
  /** A wing, or several of one floor joined by `|`, and the wings it may import from. */
  wings: Record<string, readonly string[]>;
  /** Imports of a higher wing from a lower one, each with its reason. */
  upward: readonly (Import & { why: string })[];
};

const upwardMax = 1;
const smallFileLines = 10;

const wingOf = (file: string): string => file.split("/")[0]!;
/** Files at the root stand for themselves. */
const roomOf = (file: string): string => (file.includes("/") ? file.slice(0, file.lastIndexOf("/")) : file);
const isSame = (one: Import) => (other: Import) => one.from === other.from && one.to === other.to;

/** A permission that nothing uses is a door that somebody will use by mistake. */
export function findUnusedPermissions({ wings }: Wings, imports: readonly Import[]): string[] {
  return Object.entries(wings).flatMap(([floor, seen]) => {
    const own = new Set(floor.split("|"));
    const used = new Set(imports.filter(({ from }) => own.has(wingOf(from))).map(({ to }) => wingOf(to)));
    return seen.filter((wing) => !used.has(wing)).map((wing) => `${floor} may import from ${wing}, and no file of it does`);
  });
}

export function findUpwardFaults({ upward }: Wings, imports: readonly Import[]): string[] {
  const unused = upward.filter((each) => !imports.some(isSame(each)));
  return [
    ...(upward.length > upwardMax ? [`at most ${upwardMax} import may run upwards, not ${upward.length}`] : []),
    ...unused.map(({ from, to }) => `scripts/wings.json lists ${from} → ${to}, which is not there`),
  ];
}

/** The first cycle between rooms, as the rooms on it. */
export function findRoomCycle({ upward }: Wings, imports: readonly Import[]): string[] | undefined {
  const next = new Map<string, Set<string>>();
  for (const each of imports) {
    const [from, to] = [roomOf(each.from), roomOf(each.to)];
    if (from === to || upward.some(isSame(each))) continue;
    if (!next.has(from)) next.set(from, new Set());
    next.get(from)!.add(to);
  }
  const done = new Set<string>();
  function follow(room: string, path: readonly string[]): string[] | undefined {
    const start = path.indexOf(room);
    if (start >= 0) return [...path.slice(start), room];
    if (done.has(room)) return undefined;
    for (const each of next.get(room) ?? []) {
      const cycle = follow(each, [...path, room]);
      if (cycle) return cycle;
    }
    done.add(room);
    return undefined;
  }
  for (const room of next.keys()) {
    const cycle = follow(room, []);
    if (cycle) return cycle;
  }
  return undefined;
}

/** A file of a few lines with one user belongs into that user. Suffixes that name a layer are files of their own. */
export function findSmallFiles(files: readonly { path: string; lines: number }[], imports: readonly Import[]): string[] {
  const hasLayer = /\.(table|work|routes?|sqlite|postgres)\.ts$|^store\/migrations\/|^main\.ts$/;
  return files
    .filter(({ path, lines }) => lines < smallFileLines && !hasLayer.test(path))
    .map(({ path }) => ({ path, users: imports.filter(({ to }) => to === path) }))
    .filter(({ users }) => users.length === 1)
    .map(({ path, users }) => `${path} has fewer than ${smallFileLines} lines and one user: move it into ${users[0]!.from}`);
}

export type TableOwners = {
  /** The room that owns each table. */
  owners: Record<string, string>;
  /** Files of other rooms that may name a table, and why. Only those that `write` may do more than read. */
  exceptions: readonly { file: string; tables: readonly string[]; writes?: boolean; why: string }[];
};

const ownSuffix = /\.(table|sqlite|postgres|function)\.ts$/;
/** The migrations make all tables, and the store's own tables are its own affair. */
const isOwn = (file: string, owner: string): boolean =>
  file.startsWith("store/migrations/") || (roomOf(file) === owner && (owner === "store" || ownSuffix.test(file)));

/** The tables that SQL or Kysely names in a source, and whether it writes to them. */
function tablesNamedIn(source: string, tables: readonly string[]): { table: string; writes: boolean }[] {
  const code = source.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
  return tables.flatMap((table) => {
    const name = `["'\`]?${table}(?: as \\w+)?\\b`;
    const writes = new RegExp(`(?:(?:insertInto|updateTable|deleteFrom|insertText)\\(|\\b(?:INTO|UPDATE|DELETE FROM|TRUNCATE))\\s*${name}`).test(code);
    const reads = new RegExp(`(?:(?:selectFrom|[jJ]oin)\\(|\\b(?:FROM|JOIN|TABLE))\\s*${name}`).test(code);
    return writes || reads ? [{ table, writes }] : [];
  });
}

/** One owner per table: only the `*.table.ts` of its room name it (and its two halves), and the exceptions that are listed. */
export function findTableFaults({ owners, exceptions }: TableOwners, sources: ReadonlyMap<string, string>): string[] {
  const tables = Object.keys(owners);
  const unused = new Map(exceptions.map(({ file, tables: named }) => [file, new Set(named)]));
  const mayWrite = new Set(exceptions.filter((each) => each.writes).map(({ file }) => file));
  const faults: string[] = [];
  for (const [file, source] of sources) {
    for (const { table, writes } of tablesNamedIn(source, tables)) {
      if (isOwn(file, owners[table]!)) continue;
      const isListed = unused.get(file)?.delete(table);
      if (!isListed) faults.push(`${file} names ${table}, which belongs to the *.table.ts of ${owners[table]}/`);
      else if (writes && !mayWrite.has(file)) faults.push(`${file} writes to ${table}: as an exception it may only read`);
    }
  }
  for (const [file, left] of unused) {
    for (const table of left) faults.push(`scripts/table-owners.json lets ${file} name ${table}, and it does not`);
  }
  return faults;
}
