import assert from "node:assert/strict";
import { once } from "node:events";
import { statSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import { describe, it } from "node:test";
import { describeBothStores } from "../test/both-stores.ts";
import { send } from "../test/send.ts";
import { makeTestFolder, serviceEnvironment, spawnService, startService, testSecretKey } from "../test/start-service.ts";
import { runSql } from "../test/store/run-sql.ts";
import { ConfigError, readConfig } from "./config.ts";
import { serve } from "./start/serve.ts";
import { lockDataDir } from "./transfer/backup/lock-data-dir.ts";

const password = "hunter2-of-the-database";

/** Values that each setting must refuse, and the line that it must print. */
const wrongSettings: Record<string, { values: string[]; line: RegExp }> = {
  PORT: { values: ["http", "-1", "65536", "80.5", " 80", "0x50", "1e3"], line: /^PORT must be a whole number from 0 to 65535, not ".+"$/ },
  DATABASE_URL: {
    values: [
      "nonsense",
      "postgres://",
      `mysql://me:${password}@host/db`,
      `postgres//me:${password}@host`,
      ...["host:http/db", "one,/db", "one,two:x/db", "one,two:65536/db", "[::1/db", "one,two/db?host=three", "one,two/db?target_session_attrs=standby", `${"h,".repeat(8)}h/db`].map(
        (rest) => `postgres://me:${password}@${rest}`,
      ),
    ],
    line: /^DATABASE_URL (is not an address of the form postgres:\/\/name:password@host:5432\/database|is not a list of hosts: .+|has no valid port.*|lists 9 hosts.+|must list its hosts.+|asks for a server that.+)$/,
  },
  DATABASE_REPORT_URL: { values: ["nonsense", `http://me:${password}@host/db`, `postgres://me:${password}@one,two/db`], line: /^DATABASE_REPORT_URL (is not an address of the form postgres:\/\/name:password@replica:5432\/database|must name one host: the replica that reports are read from)$/ },
  DATABASE_OWNER_URL: { values: ["nonsense", `http://me:${password}@host/db`], line: /^DATABASE_OWNER_URL is not an address of the form postgres:\/\/owner:password@host:5432\/database$/ },
  REDIS_URL: { values: ["localhost:6379", `http://:${password}@host`, "redis://"], line: /^REDIS_URL is not an address of the form redis:\/\/host:6379, redis\+sentinel:\/\/host:26379,host:26379\/NAME or redis\+cluster:\/\/host:7000,host:7001$/ },
  PUBLIC_URL: { values: ["assay.example.com", "ftp://example.com", "https://"], line: /^PUBLIC_URL is not an address of the form https:\/\/assay\.example\.com$/ },
  CDN_URL: { values: ["cdn"], line: /^CDN_URL is not an address/ },
  TRACK_URL: { values: ["track"], line: /^TRACK_URL is not an address/ },
  SMTP_URL: { values: [`mail://me:${password}@host`, "host"], line: /^SMTP_URL is not an address/ },
  MAIL_FROM: { values: ["nobody", "a@b@c", "One <a@b>, Two <c@d>", "Bcc: x\r\n <a@b>"], line: /^MAIL_FROM must be an address such as Assay <no-reply@example\.com>$/ },
  SECRET_KEY: { values: [password], line: /^SECRET_KEY must have 32 characters or more$/ },
  TRUST_PROXY: {
    values: ["yes", "10.0.0.0/33", "10.0.0.0/8/8", "::1/129", "10.0.0.0/8, proxy"],
    line: /^TRUST_PROXY must be CIDR ranges separated by commas; ".+" is not one$/,
  },
  CALL_PAYER: { values: ["nobody", "Platform"], line: /^CALL_PAYER must be platform or developer, not ".+"$/ },
  TIER_UPGRADES: { values: ["never"], line: /^TIER_UPGRADES must be review or instant, not "never"$/ },
  SESSION_RETENTION_DAYS: { values: ["0", "3651", "ninety"], line: /^SESSION_RETENTION_DAYS must be a whole number from 1 to 3650, not ".+"$/ },
  CLICK_HOLD_DAYS: { values: ["-1", "366"], line: /^CLICK_HOLD_DAYS must be a whole number from 0 to 365, not ".+"$/ },
  CALL_HOLD_DAYS: { values: ["-1", "366"], line: /^CALL_HOLD_DAYS must be a whole number from 0 to 365, not ".+"$/ },
  UNREVIEWED_MONTHLY_USD: { values: ["-1", "$350"], line: /^UNREVIEWED_MONTHLY_USD must be an amount in USD such as 50, not ".+"$/ },
  UNREVIEWED_TOTAL_MONTHLY_USD: { values: ["none"], line: /^UNREVIEWED_TOTAL_MONTHLY_USD must be an amount in USD such as 50, not ".+"$/ },
  PAYOUT_MINIMUM_USD: { values: ["-1", "$50", "1e3", "0.0000001"], line: /^PAYOUT_MINIMUM_USD must be an amount in USD such as 50, not ".+"$/ },
  PAYEE_CHANGE_HOLD_DAYS: { values: ["-1", "91"], line: /^PAYEE_CHANGE_HOLD_DAYS must be a whole number from 0 to 90, not ".+"$/ },
  PAYOUT_FOUR_EYES: { values: ["yes", "0"], line: /^PAYOUT_FOUR_EYES must be on or off, not ".+"$/ },
  OPERATOR_SECOND_FACTOR: { values: ["true"], line: /^OPERATOR_SECOND_FACTOR must be on or off, not "true"$/ },
  CREDIT_LIMIT_USD: { values: ["-5", "five"], line: /^CREDIT_LIMIT_USD must be an amount in USD such as 50, not ".+"$/ },
  SECRET_KEY_PREVIOUS: { values: ["short", `${testSecretKey},short`], line: /^SECRET_KEY_PREVIOUS must be old secrets of 32 characters or more, separated by commas$/ },
  EGRESS_PROXY: {
    values: ["proxy", "proxy:3128", `https://me:${password}@host`, `socks5://me:${password}@host`, "http://", `http://me:${password}@host:3128/path`, "http://host:3128?a", "http://host:3128#a", `http://me:${password}%@host`, `http://me:${password}%ff@host`],
    line: /^EGRESS_PROXY is not an address of the form http:\/\/name:password@host:3128$/,
  },
  WEBHOOK_PRIVATE_CIDRS: {
    values: ["yes", "10.0.0.0/33", "0.0.0.0/0", "10.0.0.0/7", "10.0.0.0/8,127.0.0.0/8", "169.254.169.254", "::1", "fe80::/10", "8.8.8.8"],
    line: /^WEBHOOK_PRIVATE_CIDRS must be (CIDR ranges separated by commas; ".+" is not one|within 10\.0\.0\.0\/8, 172\.16\.0\.0\/12, 192\.168\.0\.0\/16, 100\.64\.0\.0\/10 or fc00::\/7; ".+" is not)$/,
  },
  WEBHOOK_LOOPBACK: { values: ["true", "127.0.0.1"], line: /^WEBHOOK_LOOPBACK must be on or off, not ".+"$/ },
  WORKERS: { values: ["0", "-1", "129", "1.5", "all", "01", " 2"], line: /^WORKERS must be auto or a whole number from 1 to 128, not ".+"$/ },
  LOG_LEVEL: { values: ["loud", "INFO"], line: /^LOG_LEVEL must be .+, not ".+"$/ },
};

describe("a setting", () => {
  for (const [name, { values, line }] of Object.entries(wrongSettings)) {
    it(`${name} is refused in one line that names it and contains no secret`, () => {
      for (const value of values) {
        assert.throws(
          () => readConfig({ SECRET_KEY: testSecretKey, [name]: value }),
          (error) => {
            assert(error instanceof ConfigError, `${value}: ${String(error)}`);
            assert.match(error.message, line);
            assert(!error.message.includes("\n") && !error.message.includes(password), error.message);
            return true;
          },
          value,
        );
      }
    });
  }

  it("WORKERS is refused where several processes would not share the store or the limits, and says why", () => {
    const postgres = { DATABASE_URL: "postgres://me@host/db", SECRET_KEY: testSecretKey };
    const redis = { REDIS_URL: "redis://host:6379" };
    for (const workers of ["2", "auto"]) {
      assert.throws(() => readConfig({ WORKERS: workers }), { name: "ConfigError", message: /^WORKERS needs DATABASE_URL: the embedded store has one writer, in one process, .+$/ });
      assert.throws(() => readConfig({ WORKERS: workers, ...redis }), { name: "ConfigError", message: /^WORKERS needs DATABASE_URL: / });
      assert.throws(() => readConfig({ WORKERS: workers, ...postgres }), { name: "ConfigError", message: /^WORKERS needs REDIS_URL: .+ limits .+$/ });
    }
    assert.equal(readConfig({ WORKERS: "3", ...postgres, ...redis }).workers, 3);
    assert.equal(readConfig({ WORKERS: "auto", ...postgres, ...redis }).workers, availableParallelism());
    assert.equal(readConfig({ WORKERS: "1" }).workers, 1, "one process is what the embedded store has");
  });

  it("has its documented default when it is absent or empty", () => {
    const names = ["HOST", "PORT", "DATA_DIR", ...Object.keys(wrongSettings)];
    for (const environment of [{}, Object.fromEntries(names.map((name) => [name, ""]))]) {
      assert.deepEqual(readConfig(environment), {
        host: "127.0.0.1",
        port: 8_080,
        dataDir: resolve("data"),
        databaseUrl: undefined,
        databaseOwnerUrl: undefined,
        databaseReportUrl: undefined,
        redisUrl: undefined,
        publicUrl: undefined,
        cdnUrl: undefined,
        trackUrl: undefined,
        smtpUrl: undefined,
        mailFrom: undefined,
        secretKey: undefined,
        previousSecretKeys: [],
        isLocal: true,
        trustProxy: [],
        callPayer: "platform",
        sessionRetentionDays: 90,
        clickHoldDays: 7,
        callHoldDays: 14,
        unreviewedMonthlyMicroUsd: 350_000_000,
        unreviewedTotalMonthlyMicroUsd: undefined,
        payoutMinimumMicroUsd: 50_000_000,
        tierUpgrades: "instant_on_loopback",
        payeeChangeHoldDays: 7,
        payoutFourEyes: false,
        operatorSecondFactor: false,
        creditLimitMicroUsd: 5_000_000,
        operator: { legalName: undefined, address: undefined, taxId: undefined },
        ledgerLog: "developers",
        logWitnessesFile: undefined,
        egressProxyUrl: undefined,
        webhookPrivateCidrs: [],
        webhookLoopbackFor: "first_developer",
        workers: 1,
        workerNumber: undefined,
        metricsToken: undefined,
        logLevel: "info",
      });
    }
  });

  it("is used as given when it is valid", () => {
    const config = readConfig({
      HOST: "::1",
      PORT: "0",
      DATABASE_URL: "postgresql://u:p@h/d",
      DATABASE_OWNER_URL: "postgres://o:p@h/d",
      DATABASE_REPORT_URL: "postgres://r:p@replica/d",
      REDIS_URL: "rediss://h:1",
      PUBLIC_URL: "https://a.example/",
      CDN_URL: "https://cdn.example",
      TRACK_URL: "https://track.example/t/",
      SMTP_URL: "smtps://me:secret@mail.example:465",
      MAIL_FROM: "Assay <no-reply@a.example>",
      SECRET_KEY: testSecretKey,
      SECRET_KEY_PREVIOUS: `${"b".repeat(32)}, ${"c".repeat(40)}`,
      TRUST_PROXY: "10.0.0.0/8, ::1,192.168.0.1",
      CALL_PAYER: "developer",
      SESSION_RETENTION_DAYS: "1",
      CLICK_HOLD_DAYS: "0",
      CALL_HOLD_DAYS: "30",
      UNREVIEWED_MONTHLY_USD: "100",
      UNREVIEWED_TOTAL_MONTHLY_USD: "5000",
      PAYOUT_MINIMUM_USD: "12.5",
      PAYEE_CHANGE_HOLD_DAYS: "0",
      PAYOUT_FOUR_EYES: "off",
      OPERATOR_SECOND_FACTOR: "on",
      CREDIT_LIMIT_USD: "2.5",
      TIER_UPGRADES: "review",
      OPERATOR_LEGAL_NAME: "Assay Ltd",
      OPERATOR_ADDRESS: "1 Main Street",
      OPERATOR_TAX_ID: "X1",
      LEDGER_LOG: "public",
      LOG_WITNESSES: "/etc/assay/witnesses",
      EGRESS_PROXY: "http://me:p%40ss@proxy:3128/",
      WEBHOOK_PRIVATE_CIDRS: "10.1.0.0/16, 192.168.7.9,fd00::/8",
      WEBHOOK_LOOPBACK: "off",
      WORKERS: "2",
      METRICS_TOKEN: "t",
      LOG_LEVEL: "silent",
    });
    const { dataDir: _dataDir, ...rest } = config;
    assert.deepEqual(rest, {
      host: "::1",
      port: 0,
      databaseUrl: "postgresql://u:p@h/d",
      databaseOwnerUrl: "postgres://o:p@h/d",
      databaseReportUrl: "postgres://r:p@replica/d",
      redisUrl: "rediss://h:1",
      publicUrl: "https://a.example",
      cdnUrl: "https://cdn.example",
      trackUrl: "https://track.example/t",
      smtpUrl: "smtps://me:secret@mail.example:465",
      mailFrom: "Assay <no-reply@a.example>",
      secretKey: testSecretKey,
      previousSecretKeys: ["b".repeat(32), "c".repeat(40)],
      isLocal: false,
      trustProxy: ["10.0.0.0/8", "::1", "192.168.0.1"],
      callPayer: "developer",
      sessionRetentionDays: 1,
      clickHoldDays: 0,
      callHoldDays: 30,
      unreviewedMonthlyMicroUsd: 100_000_000,
      unreviewedTotalMonthlyMicroUsd: 5_000_000_000,
      payoutMinimumMicroUsd: 12_500_000,
      tierUpgrades: "review",
      payeeChangeHoldDays: 0,
      payoutFourEyes: false,
      operatorSecondFactor: true,
      creditLimitMicroUsd: 2_500_000,
      operator: { legalName: "Assay Ltd", address: "1 Main Street", taxId: "X1" },
      ledgerLog: "public",
      logWitnessesFile: "/etc/assay/witnesses",
      egressProxyUrl: "http://me:p%40ss@proxy:3128",
      webhookPrivateCidrs: ["10.1.0.0/16", "192.168.7.9", "fd00::/8"],
      webhookLoopbackFor: "nobody",
      workers: 2,
      workerNumber: undefined,
      metricsToken: "t",
      logLevel: "silent",
    });
  });

  it("WEBHOOK_LOOPBACK opens this machine's ports only where nobody else is served [threat: ssrf-loopback]", () => {
    assert.equal(readConfig({ WEBHOOK_LOOPBACK: "on" }).webhookLoopbackFor, "everybody");
    for (const outside of [{ HOST: "0.0.0.0" }, { PUBLIC_URL: "https://assay.example.com" }]) {
      assert.throws(() => readConfig({ WEBHOOK_LOOPBACK: "on", ...outside }), { name: "ConfigError", message: /^WEBHOOK_LOOPBACK can be on only where HOST and PUBLIC_URL are loopback: .+$/ });
      assert.equal(readConfig(outside).webhookLoopbackFor, "nobody");
    }
  });

  it("MAIL_FROM is required with SMTP_URL", () => {
    assert.throws(() => readConfig({ SMTP_URL: "smtp://h" }), { message: "MAIL_FROM is required with SMTP_URL: mails need a sender" });
  });

  it("DATABASE_URL is required with DATABASE_REPORT_URL", () => {
    const message = "DATABASE_URL is required with DATABASE_REPORT_URL: the embedded store has no replica";
    assert.throws(() => readConfig({ DATABASE_REPORT_URL: "postgres://h/d" }), { message });
  });

  it("DATABASE_URL is required with DATABASE_OWNER_URL", () => {
    const message = "DATABASE_URL is required with DATABASE_OWNER_URL: it names the role that the service uses";
    assert.throws(() => readConfig({ DATABASE_OWNER_URL: "postgres://h/d" }), { message });
  });

  it("SECRET_KEY is required with DATABASE_URL", () => {
    assert.throws(() => readConfig({ DATABASE_URL: "postgres://h/d" }), { message: "SECRET_KEY is required with DATABASE_URL: all nodes must share it" });
  });
});

describe("a start that fails", () => {
  /** Starts the real program, which must fail with one line, and returns that line. */
  async function readRefusal(env: Record<string, string>, dataDir = makeTestFolder()): Promise<string> {
    const { logs, whenEnded } = spawnService(serviceEnvironment({ dataDir, env }));
    assert.equal(await whenEnded, 1, logs());
    const lines = logs().trimEnd().split("\n");
    assert.equal(lines.length, 1, logs());
    assert.match(lines[0]!, /^Assay cannot start: /);
    return lines[0]!.slice("Assay cannot start: ".length);
  }

  it("prints one line for an invalid setting", async () => {
    assert.match(await readRefusal({ PORT: "http" }), wrongSettings.PORT!.line);
    assert.match(await readRefusal({ DATABASE_URL: `postgres//me:${password}@host` }), wrongSettings.DATABASE_URL!.line);
  });

  it("prints one line when the port is in use, and unlocks its folder", async (t) => {
    const server = createServer().listen(0, "127.0.0.1");
    t.after(() => server.close());
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    assert.equal(await readRefusal({ PORT: String(port) }), `PORT ${port} on 127.0.0.1 is in use: set PORT to another one`);

    const dataDir = makeTestFolder();
    await assert.rejects(serve(readConfig({ PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: "silent" })), /is in use/);
    const lock = lockDataDir(dataDir, { exclusive: true, waitMs: 0 });
    assert.ok(lock, "a failed start unlocks its folder");
    lock.release();
  });

  it("prints one line when the address is not this machine's", async () => {
    for (const host of ["203.0.113.1", "host.invalid"]) {
      assert.equal(await readRefusal({ HOST: host }), `HOST ${host} is not an address of this machine`);
    }
  });

  it("prints one line when DATA_DIR is not writable", async () => {
    const folder = makeTestFolder();
    writeFileSync(join(folder, "file"), "");
    for (const dataDir of [join(folder, "file"), join(folder, "file", "below")]) {
      assert.match(await readRefusal({}, dataDir), new RegExp(`^DATA_DIR ${dataDir} cannot be written to \\((ENOTDIR|EEXIST)\\)$`));
    }
  });

  it("prints one line when the file in DATA_DIR is not a database", async () => {
    const dataDir = makeTestFolder();
    writeFileSync(join(dataDir, "assay.sqlite"), "this is not a database, but long enough to be checked".repeat(100));
    assert.match(await readRefusal({}, dataDir), /^DATA_DIR .+: the store in it is damaged \(file is not a database\)\. Restore the last backup: /);
  });

  it("prints one line without the password when the database is unreachable", async () => {
    const line = await readRefusal({ DATABASE_URL: `postgres://me:${password}@127.0.0.1:1/assay`, SECRET_KEY: testSecretKey });
    assert.match(line, /^DATABASE_URL: the database cannot be used: .*ECONNREFUSED/);
    assert(!line.includes(password));
  });
});

describeBothStores("a start", (open, dialect) => {
  it("refuses a database that a newer version migrated", async () => {
    const database = await open();
    await runSql(database, ["INSERT INTO migrations (name, at) VALUES ('9999-from-the-future', 0)"]);
    const { logs, whenEnded } = spawnService(serviceEnvironment(database));
    assert.equal(await whenEnded, 1);
    assert.equal(logs(), "Assay cannot start: the database was migrated by a newer version of Assay (9999-from-the-future)\n");
  });

  if (dialect === "postgres") {
    it("prints one line when the database does not exist", async () => {
      const { databaseUrl, dataDir } = await open();
      const { logs, whenEnded } = spawnService(serviceEnvironment({ databaseUrl: `${databaseUrl}_not`, dataDir }));
      assert.equal(await whenEnded, 1);
      assert.match(logs(), /^Assay cannot start: DATABASE_URL: the database cannot be used: database ".+_not" does not exist\n$/);
    });
    return;
  }

  it("prints sign-ins and keys once on an empty embedded store, and creates a secret that only its owner can read", async () => {
    const dataDir = join(makeTestFolder(), "made", "on", "the", "way");
    const first = await startService({ dataDir });
    const key = /assay_live_[0-9A-Za-z]{38}/.exec(first.logs())?.[0];
    assert(key !== undefined && /assay_test_/.test(first.logs()) && /password/.test(first.logs()));
    assert.equal(await first.stop(), 0);
    assert.equal(statSync(join(dataDir, "secret.key")).mode & 0o777, 0o600);
    const second = await startService({ dataDir });
    assert(!/assay_(live|test)_[0-9A-Za-z]{38}/.test(second.logs()));
    assert.equal((await send(second, "/api/usage", { headers: { "x-api-key": key } })).status, 200);
    assert.equal(await second.stop(), 0);
  });

  it("succeeds while Redis is unreachable: the node limits calls by itself and logs it", async () => {
    const service = await startService({ redisUrl: "redis://127.0.0.1:1" });
    const key = /assay_live_[0-9A-Za-z]{38}/.exec(service.logs())![0];
    const answer = await send(service, "/api/usage", { headers: { "x-api-key": key } });
    assert.equal(answer.status, 200);
    assert.match(String(answer.headers.ratelimit), /^"hour";r=999;/);
    assert.match((await send(service, "/metrics")).text, /^assay_limiter_mode\{mode="fallback"\} 1$/m);
    assert.equal(await service.stop(), 0);
    assert.match(service.logs(), /Redis is unreachable: this node counts limits by itself/);
  });
});
