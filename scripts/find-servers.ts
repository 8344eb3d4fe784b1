// Where the database servers are that tests and benchmarks start for themselves.
import { existsSync, globSync } from "node:fs";
import { delimiter, join } from "node:path";

/** `variable` tells the programs that need the server where it is. */
export type Server = { name: string; variable: string; aptPackage: string; find: () => string | undefined };

export const servers: Server[] = [
  { name: "PostgreSQL", variable: "ASSAY_TEST_POSTGRES_BIN", aptPackage: "postgresql", find: findPostgresFolder },
  { name: "Redis", variable: "ASSAY_TEST_REDIS_SERVER", aptPackage: "redis-server", find: findRedisServer },
];

function foldersInPath(): string[] {
  return (process.env.PATH ?? "").split(delimiter).filter(Boolean);
}

/** The folder that holds both `initdb` and `postgres`, the newest version where there are several. */
function findPostgresFolder(): string | undefined {
  const versionOf = (folder: string): number => Number(/(\d+)(?:\/bin)?$/.exec(folder)?.[1] ?? 0);
  const installed = globSync([
    "/usr/lib/postgresql/*/bin",
    "/usr/pgsql-*/bin",
    "/opt/homebrew/opt/postgresql*/bin",
    "/usr/local/opt/postgresql*/bin",
    "/home/linuxbrew/.linuxbrew/opt/postgresql*/bin",
  ]).toSorted((one, other) => versionOf(other) - versionOf(one));
  return [...foldersInPath(), ...installed].find((folder) =>
    ["initdb", "postgres"].every((program) => existsSync(join(folder, program))),
  );
}

function findRedisServer(): string | undefined {
  const folders = [...foldersInPath(), "/usr/bin", "/usr/sbin", "/usr/local/bin", "/opt/homebrew/bin", "/home/linuxbrew/.linuxbrew/bin"];
  return folders.map((folder) => join(folder, "redis-server")).find((file) => existsSync(file));
}
