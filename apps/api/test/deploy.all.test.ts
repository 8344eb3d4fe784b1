/** The files in deploy/ must match the service: nothing else would notice a setting that does not exist. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { BlockList } from "node:net";
import { join } from "node:path";
import { describe, it } from "node:test";
import { Client } from "pg";
import { readConfig, settingNames } from "../src/config.ts";
import { drainMsMax } from "../src/start/pace-drain.ts";
import { migrateAsOwner } from "../src/store/migrate.ts";
import { findExcessRights } from "../src/store/service-rights.ts";
import { startPostgres, whyPostgresIsSkipped } from "./start-postgres.ts";
import { makeTestFolder } from "./start-service.ts";

const folder = new URL("../../../deploy/", import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, folder), "utf8");

/** Variables read by Node and the C library. */
const runtimeVariables = new Set(["NODE_ENV", "NODE_COMPILE_CACHE", "MALLOC_ARENA_MAX"]);
/** Time that a drain needs before and after the part that `drainMsMax` bounds. */
const drainMarginMs = 2_000;

const all = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, found]) => found!);

function only(text: string, pattern: RegExp): string {
  const found = all(text, pattern);
  assert.equal(found.length, 1, `${pattern.source} occurs ${found.length} times`);
  return found[0]!;
}

function parseEnv(name: string): Record<string, string> {
  const lines = read(name).split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]));
}

/** The settings in each file of deploy/. */
const settingsOf: Record<string, () => string[]> = {
  "assay.env.example": () => Object.keys(parseEnv("assay.env.example")),
  "owner.env.example": () => Object.keys(parseEnv("owner.env.example")),
  "assay-migrate.service": () => all(read("assay-migrate.service"), /^Environment=(\w+)=/gm),
  "assay@.service": () => all(read("assay@.service"), /^Environment=(\w+)=/gm),
  Dockerfile: () => all(only(read("Dockerfile"), /^ENV ((?:.*\\\n)*.*)$/gm), /(\w+)=/g),
};

/** `npm test` finds or installs it. */
const systemdAnalyze = process.env.ASSAY_TEST_SYSTEMD_ANALYZE || "systemd-analyze";
const whySystemdIsSkipped = () => (spawnSync(systemdAnalyze, ["--version"]).status === 0 ? false : "no systemd-analyze");

/** What systemd says about units. */
function verifyUnits(units: Record<string, string>): string {
  const folderOfUnits = makeTestFolder();
  const files = Object.entries(units).map(([name, text]) => {
    writeFileSync(join(folderOfUnits, name), text);
    return join(folderOfUnits, name);
  });
  const { status, stderr } = spawnSync(systemdAnalyze, ["verify", "--man=no", ...files], { encoding: "utf8" });
  assert.equal(status, 0, stderr);
  return stderr;
}

describe("deploy/", () => {
  for (const [file, list] of Object.entries(settingsOf)) {
    it(`${file} uses only settings that exist`, () => {
      const names = list();
      assert.ok(names.length > 0);
      const unknown = names.filter((name) => !settingNames.has(name) && !runtimeVariables.has(name));
      assert.deepEqual(unknown, []);
    });
  }

  it("starts the service with the options that npm start gives Node", () => {
    const { scripts } = JSON.parse(readFileSync(new URL("../package.json", folder), "utf8")) as { scripts: { start: string } };
    const options = all(scripts.start, / (--\S+)/g).join(" ");
    assert.notEqual(options, "");
    assert.equal(only(read("assay@.service"), /^ExecStart=\/usr\/bin\/node (.*) apps\/api\/src\/main\.ts$/gm), options);
    const words = JSON.parse(only(read("Dockerfile"), /^CMD (.*)$/gm)) as string[];
    assert.deepEqual(words, ["node", ...options.split(" "), "apps/api/src/main.ts"]);
  });

  it("assay.env.example is a valid configuration once the secret is filled in, and is rejected before", () => {
    const example = parseEnv("assay.env.example");
    assert.throws(() => readConfig(example), /SECRET_KEY is required/);
    const config = readConfig({ ...example, SECRET_KEY: "x".repeat(48) });
    assert.equal(new URL(config.databaseUrl!).hostname, "postgres");
    assert.equal(config.databaseOwnerUrl, undefined, "nodes do not know the owner");
    const postgres = parseEnv("postgres.env.example");
    const { databaseOwnerUrl } = readConfig({ ...example, ...parseEnv("owner.env.example"), SECRET_KEY: "x".repeat(48) });
    const expected = [[config.databaseUrl!, "assay_service", "ASSAY_SERVICE_PASSWORD"], [databaseOwnerUrl!, "assay_owner", "ASSAY_OWNER_PASSWORD"]] as const;
    for (const [url, role, passwordName] of expected) {
      const { username, password, pathname } = new URL(url);
      assert.deepEqual([username, password, pathname], [role, postgres[passwordName], `/${postgres["POSTGRES_DB"]}`]);
      assert(read("postgres-roles.sql").includes(`CREATE ROLE ${role} LOGIN`) && read("postgres-roles.sql").includes(` ${passwordName}\n`));
    }
  });

  it("nginx uses the nodes that compose starts, on their ports, and they trust it as a proxy", () => {
    const [nginx, compose, docker] = [read("nginx.conf"), read("compose.yaml"), read("Dockerfile")];
    const port = only(docker, /^\s+PORT=(\d+)/gm);
    assert.equal(only(docker, /^EXPOSE (\d+)$/gm), port);
    assert.equal(only(docker, /http:\/\/127\.0\.0\.1:(\d+)\/health\/ready/g), port);
    const nodes = all(compose, /^ {2}(node-\d+): \*node$/gm);
    assert.ok(nodes.length >= 2);
    assert.deepEqual(all(nginx, /^\s+server ([\w-]+:\d+) /gm), nodes.map((node) => `${node}:${port}`));
    const listen = only(nginx, /^\s+listen (\d+);$/gm);
    assert.equal(only(compose, /ports: \["127\.0\.0\.1:\d+:(\d+)"\]/g), listen);
    assert.equal(only(compose, /http:\/\/127\.0\.0\.1:(\d+)\/health\/ready/g), listen);

    const { trustProxy, publicUrl } = readConfig({ ...parseEnv("assay.env.example"), SECRET_KEY: "x".repeat(48) });
    assert.deepEqual(trustProxy, [only(compose, /subnet: ([\d./]+)/g)]);
    const [network = "", bits] = trustProxy[0]!.split("/");
    const trusted = new BlockList();
    trusted.addSubnet(network, Number(bits));
    assert.equal(trusted.check("127.0.0.1"), false, "loopback is not a trusted proxy there");
    assert.equal(new URL(publicUrl!).port, only(compose, /ports: \["127\.0\.0\.1:(\d+):\d+"\]/g));
  });

  it("nginx never retries a call that may be billed, and accepts bodies as large as the service does", () => {
    const nginx = read("nginx.conf").replaceAll(/#.*/g, "");
    assert.equal(only(nginx, /proxy_next_upstream ([^;]+);/g), "error timeout");
    assert.ok(Number(only(nginx, /client_max_body_size (\d+)m;/g)) > 2, "room for creatives of 2 MiB and their form");
    assert.match(nginx, /proxy_set_header X-Forwarded-For \$forwarded_for;/);
    assert.match(nginx, /map \$uri \$forwarded_for \{\n\s+default\s+\$remote_addr;/);
  });

  it("systemd and compose wait for the drain of a node", () => {
    const longestMs = drainMsMax + drainMarginMs;
    assert.ok(Number(only(read("assay@.service"), /^TimeoutStopSec=(\d+)s$/gm)) * 1_000 > longestMs);
    assert.ok(Number(/^x-node:.*?stop_grace_period: (\d+)s/ms.exec(read("compose.yaml"))?.[1]) * 1_000 > longestMs);
  });

  it("the image contains every package that the service imports", () => {
    const docker = read("Dockerfile");
    const own = JSON.parse(readFileSync(new URL("../apps/api/package.json", folder), "utf8")) as { dependencies: Record<string, string> };
    for (const name of Object.keys(own.dependencies).filter((each) => each.startsWith("@assay/"))) {
      const path = `packages/${name.slice("@assay/".length)}`;
      assert.match(docker, new RegExp(`^COPY ${path} ${path}$`, "m"));
      assert.match(docker, new RegExp(`^COPY ${path}/package.json ${path}/$`, "m"));
    }
  });

  it("the image contains the licences of its packages", () => {
    assert.match(read("Dockerfile").split("\nFROM ").at(-1) ?? "", /^COPY .*\bTHIRD-PARTY-NOTICES\.txt .*\.\/$/m);
  });

  it("systemd-analyze accepts the unit, and would not accept an unknown setting", { skip: whySystemdIsSkipped() }, () => {
    // Node may be elsewhere on this machine.
    const unitOf = (name: string) => read(name).replace("/usr/bin/node", process.execPath);
    const [node, migration] = [unitOf("assay@.service"), unitOf("assay-migrate.service")];
    assert.equal(verifyUnits({ "assay@.service": node, "assay-migrate.service": migration }), "");
    assert.match(verifyUnits({ "assay@.service": node.replace("KillMode=", "KillMood=") }), /Unknown key/);
    assert.match(verifyUnits({ "assay-migrate.service": migration.replace("UMask=", "UMusk=") }), /Unknown key/);
  });

  it("compose migrates as the owner before it starts a node, and no node knows the owner", () => {
    const compose = read("compose.yaml");
    assert.deepEqual(all(compose, /env_file: (.+)/g), ["assay.env", "[assay.env, owner.env]", "postgres.env"]);
    assert.match(compose, /^ {2}migrate:\n(?: {4}.+\n)*? {4}command: \["node", "apps\/api\/src\/cli\/main\.ts", "migrate"\]\n(?: {4}.+\n)*? {4}env_file: \[assay\.env, owner\.env\]$/m);
    assert.match(compose, /^x-node:[^]*?depends_on:\n {4}migrate: \{ condition: service_completed_successfully \}[^]*?^services:/m);
    assert(compose.includes("./postgres-roles.sql:/docker-entrypoint-initdb.d/postgres-roles.sql:ro"));
  });

  it("psql makes the two roles: the owner migrates, and the service can do no more than it should", { skip: whyPostgresIsSkipped() }, async () => {
    const postgres = await startPostgres();
    try {
      const url = await postgres.newDatabase();
      const env = { ...process.env, ASSAY_OWNER_PASSWORD: "it's secret", ASSAY_SERVICE_PASSWORD: "other" };
      const psql = join(process.env.ASSAY_TEST_POSTGRES_BIN!, "psql");
      const { status, stderr } = spawnSync(psql, ["--no-psqlrc", "--dbname", url, "--file", new URL("postgres-roles.sql", folder).pathname], { env, encoding: "utf8" });
      assert.deepEqual([status, stderr], [0, ""]);
      const [ownerUrl, serviceUrl] = ["assay_owner", "assay_service"].map((username) => Object.assign(new URL(url), { username }).href) as [string, string];
      await migrateAsOwner({ ownerUrl, serviceUrl }, Date.now());
      const client = new Client({ connectionString: serviceUrl });
      await client.connect();
      assert.deepEqual(await findExcessRights(client), []);
      await assert.rejects(client.query("CREATE TEMP TABLE one (id text)"), { code: "42501" });
      await client.end();
    } finally {
      await postgres.stop();
    }
  });

  it("README.md mentions every file", () => {
    const text = read("README.md");
    for (const name of readdirSync(folder)) assert.ok(name === "README.md" || text.includes(name), `${name} is not mentioned`);
  });
});
