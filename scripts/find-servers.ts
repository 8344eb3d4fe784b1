// Finds the servers and programs that tests and benchmarks start.
import { existsSync, globSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";

/**
 * `variable` is the environment variable that passes the path to the tests. `aptPackage` is Debian's; what Debian has only an
 * old version of comes from npm. `brew` is the name on macOS. `isEveryday`: `npm test` needs it too, not only `--all`.
 */
export type Server = { name: string; variable: string; find: () => string | undefined; isEveryday?: true; brew?: string } & ({ aptPackage: string } | { npmPackage: string });

/** Where the project keeps programs of its own; scripts/bootstrap.mjs keeps Node there. */
export const runtimeFolder = join(dirname(import.meta.dirname), ".runtime");

export const servers: (Server & { aptPackage: string })[] = [
  { name: "PostgreSQL", variable: "ASSAY_TEST_POSTGRES_BIN", aptPackage: "postgresql", isEveryday: true, brew: "postgresql", find: findPostgresFolder },
  { name: "Redis", variable: "ASSAY_TEST_REDIS_SERVER", aptPackage: "redis-server", isEveryday: true, brew: "redis", find: findRedisServer },
];

/** What tests need in addition: a browser, proxies, interpreters and compilers for the clients and examples, and judges from outside. */
export const programs: Server[] = [
  { name: "Chromium", variable: "ASSAY_TEST_CHROMIUM", aptPackage: "chromium", isEveryday: true, brew: "chromium", find: () => findProgram(["chromium", "chromium-browser", "google-chrome", "Google Chrome", "Chromium"]) },
  { name: "Python", variable: "ASSAY_TEST_PYTHON", aptPackage: "python3", find: findPython },
  { name: "Python's venv", variable: "ASSAY_TEST_PYTHON_VENV", aptPackage: "python3-venv", find: () => globSync("/usr/lib/python3.*/ensurepip")[0] },
  { name: "PHP", variable: "ASSAY_TEST_PHP", aptPackage: "php-cli", find: () => findProgram(["php"]) },
  { name: "PHP's curl", variable: "ASSAY_TEST_PHP_CURL", aptPackage: "php-curl", find: () => globSync("/usr/lib/php/*/curl.so")[0] },
  { name: "Composer", variable: "ASSAY_TEST_COMPOSER", aptPackage: "composer", find: () => findProgram(["composer"]) },
  { name: "unzip", variable: "ASSAY_TEST_UNZIP", aptPackage: "unzip", find: () => findProgram(["unzip"]) },
  { name: "mypy", variable: "ASSAY_TEST_MYPY", aptPackage: "mypy", find: () => findProgram(["mypy"]) },
  { name: "Java", variable: "ASSAY_TEST_JAVAC", aptPackage: "default-jdk-headless", find: () => findProgram(["javac"]) },
  { name: "Kotlin", variable: "ASSAY_TEST_KOTLIN", npmPackage: "kotlin-compiler@2.4.20", find: findKotlin },
  { name: "nginx", variable: "ASSAY_TEST_NGINX", aptPackage: "nginx", isEveryday: true, brew: "nginx", find: () => findProgram(["nginx"]) },
  { name: "PgBouncer", variable: "ASSAY_TEST_PGBOUNCER", aptPackage: "pgbouncer", find: () => findProgram(["pgbouncer"]) },
  { name: "HAProxy", variable: "ASSAY_TEST_HAPROXY", aptPackage: "haproxy", find: () => findProgram(["haproxy"]) },
  { name: "git", variable: "ASSAY_TEST_GIT", aptPackage: "git", find: () => findProgram(["git"]) },
  { name: "curl", variable: "ASSAY_TEST_CURL", aptPackage: "curl", find: () => findProgram(["curl"]) },
  { name: "systemd-analyze", variable: "ASSAY_TEST_SYSTEMD_ANALYZE", aptPackage: "systemd", find: () => findProgram(["systemd-analyze"]) },
  { name: "Go", variable: "ASSAY_TEST_GO", aptPackage: "golang-go", find: () => findProgram(["go"]) },
  { name: "Go's x/mod", variable: "ASSAY_TEST_GO_PACKAGES", aptPackage: "golang-golang-x-mod-dev", find: findGoPackages },
  { name: "Patroni", variable: "ASSAY_TEST_PATRONI", aptPackage: "patroni", find: () => findProgram(["patroni"]) },
  { name: "etcd", variable: "ASSAY_TEST_ETCD", aptPackage: "etcd-server", find: () => findProgram(["etcd"]) },
  { name: "g++", variable: "ASSAY_TEST_CXX", aptPackage: "g++", find: () => findProgram(["g++"]) },
];

function foldersInPath(): string[] {
  return (process.env.PATH ?? "").split(delimiter).filter(Boolean);
}

/** The folder that contains `initdb`, `postgres` and `psql`: first from PATH, then the newest installed version. */
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
    ["initdb", "postgres", "psql"].every((program) => existsSync(join(folder, program))),
  );
}

function findRedisServer(): string | undefined {
  const folders = [...foldersInPath(), "/usr/bin", "/usr/sbin", "/usr/local/bin", "/opt/homebrew/bin", "/home/linuxbrew/.linuxbrew/bin"];
  return folders.map((folder) => join(folder, "redis-server")).find((file) => existsSync(file));
}

/** The folder that Debian keeps the sources of Go's packages in. */
function findGoPackages(): string | undefined {
  const folder = "/usr/share/gocode";
  return existsSync(join(folder, "src/golang.org/x/mod/sumdb/tlog")) ? folder : undefined;
}

/** The system's own first: it can make environments, which others may not. */
function findPython(): string | undefined {
  const system = "/usr/bin/python3";
  return existsSync(system) ? system : findProgram(["python3"]);
}

/** The folder of the compiler and its libraries. */
function findKotlin(): string | undefined {
  const folder = join(runtimeFolder, "node_modules", "kotlin-compiler", "lib");
  return existsSync(join(folder, "kotlin-compiler.jar")) ? folder : undefined;
}

function findProgram(names: readonly string[]): string | undefined {
  const folders = [...foldersInPath(), "/usr/bin", "/usr/sbin", "/usr/local/bin", "/opt/homebrew/bin", "/snap/bin", "/Applications/Google Chrome.app/Contents/MacOS", "/Applications/Chromium.app/Contents/MacOS"];
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find((file) => existsSync(file));
}
