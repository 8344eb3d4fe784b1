// The collector for Android, compiled and run on the JVM: its lifecycle, clock and network are the adapter's or the machine's.
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, describe, it } from "node:test";
import { openStore } from "../../apps/api/src/store/open-store.ts";
import { makeAccount } from "../../apps/api/test/make-account.ts";
import { waitUntil } from "../../apps/api/test/send.ts";
import { makeTestFolder, startService, type TestService } from "../../apps/api/test/start-service.ts";
import { Assay, type Prediction, type SessionReport } from "../../packages/sdk/src/assay.ts";
import { makeSite } from "../../packages/sdk/src/testing/attest-session.ts";
import { runOrFail } from "../../packages/sdk/src/testing/run-program.ts";
import type { Counts, SessionCase, SessionEvent, Signals } from "../conformance/print-session-cases.ts";
import { prepare, whySkipped } from "./prepare.ts";

const { cases } = JSON.parse(readFileSync(new URL("../conformance/sessions.json", import.meta.url), "utf8")) as { cases: SessionCase[] };
const sources = join(import.meta.dirname, "src", "main", "kotlin", "dev", "assay", "collector");

type Report = { session_data: Signals; sequence: number; session_token?: string; visit?: string };
type Beat = { site?: string; token?: string; d?: Counts };
type Played = { signals: Signals; requests: { url: string; body: Report & Beat }[] };

const lineOf = (event: SessionEvent): string =>
  [event.kind, event.at_ms, ...(event.kind === "scroll" ? [event.offset, event.visible, event.content, event.window] : [])].join(" ");

/** All that the beats of the last session have reported. */
function creditOf(requests: Played["requests"]): Counts {
  const beats = requests.filter(({ url }) => !url.endsWith("/signals"));
  const last = beats.slice(beats.findLastIndex(({ url }) => url.endsWith("/start")) + 1).map(({ body }) => body.d!);
  const sum = (name: "view_ms" | "active_ms" | "clicks" | "keys" | "pages") => last.reduce((total, d) => total + d[name], 0);
  return { view_ms: sum("view_ms"), active_ms: sum("active_ms"), clicks: sum("clicks"), keys: sum("keys"), pages: sum("pages"), scroll: last.at(-1)?.scroll ?? null };
}

describe("the Kotlin collector", { skip: whySkipped() }, () => {
  let prepared: Awaited<ReturnType<typeof prepare>>;
  let adapter: ChildProcess;
  let ask: (...lines: string[]) => Promise<unknown>;

  before(async () => {
    prepared = await prepare(makeTestFolder());
    adapter = spawn(prepared.program, prepared.args, { cwd: prepared.cwd, stdio: ["pipe", "pipe", "inherit"] });
    const printed = createInterface({ input: adapter.stdout! })[Symbol.asyncIterator]();
    ask = async (...lines) => {
      adapter.stdin!.write(`${lines.join("\n")}\n`);
      const { value, done } = await printed.next();
      assert.ok(!done, "the adapter has ended");
      return JSON.parse(value) as unknown;
    };
  });
  after(async () => {
    if (!adapter) return;
    const ended = once(adapter, "exit");
    adapter.stdin!.end();
    assert.deepEqual(await ended, [0, null]);
  });

  it("plays every case of sessions.json", async (t) => {
    assert.ok(cases.length > 80);
    for (const each of cases) {
      await t.test(each.name, async () => {
        const { signals, requests } = (await ask(`case ${each.start_ms} ${each.visits}`, ...each.events.map(lineOf), `read ${each.read_at_ms}`)) as Played;
        assert.deepEqual(signals, each.expect);
        const reports = requests.filter(({ url }) => url.endsWith("/signals")).map(({ body }) => body);
        let from = 0;
        for (const ended of each.ended ?? []) {
          const found = reports.findIndex(({ session_data }, nth) => nth >= from && JSON.stringify(session_data) === JSON.stringify(ended));
          assert.ok(found >= from, "the last report of each session is complete");
          from = found + 1;
        }
        assert.deepEqual(reports.map(({ sequence }) => sequence), reports.map((_, nth) => nth + 1));
        const credit = creditOf(requests);
        // A moment in view alone is not worth a beat.
        for (const name of ["view_ms", "active_ms"] as const) assert.ok(Math.abs(credit[name] - each.counts[name]) < 1_000, `${name}: ${credit[name]}`);
        assert.deepEqual({ ...credit, view_ms: 0, active_ms: 0 }, { ...each.counts, view_ms: 0, active_ms: 0 });
      });
    }
  });

  it("repeats a report while there is no connection, ever more rarely, and the next run sends it", async () => {
    const { waits, attempts, bodies, sent, kept } = (await ask("offline 0")) as { waits: number[]; attempts: number; bodies: Report[]; sent: Report[]; kept: string[] };
    assert.deepEqual(waits, [2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 120_000, 120_000, 120_000]);
    assert.deepEqual([attempts, bodies.length, kept], [10, 1, ["assay.visits"]]);
    assert.deepEqual(sent, [{ visit: "v1", session_data: { user_engagement: 1, session_duration: 5, interaction_count: 1, page_views: 1, return_visitor: false }, sequence: 1 }]);
    assert.deepEqual(sent, bodies);
  });

  for (const { scene, attempts } of [{ scene: "503", attempts: 10 }, { scene: "429", attempts: 10 }, { scene: "408", attempts: 10 }, { scene: "400", attempts: 1 }, { scene: "401", attempts: 1 }, { scene: "302", attempts: 1 }]) {
    it(`${attempts === 1 ? "does not repeat" : "repeats"} a report after ${scene}`, async () => {
      const played = (await ask(`offline ${scene}`)) as { attempts: number; sent: Report[] };
      assert.deepEqual([played.attempts, played.sent.length], [attempts, attempts === 1 ? 0 : 1]);
    });
  }

  it("waits as long as the server says, an hour at most", async () => {
    assert.equal(((await ask("offline 503 90")) as { waits: number[] }).waits[0], 90_000);
    assert.equal(((await ask("offline 503 999999999999")) as { waits: number[] }).waits[0], 3_600_000);
    assert.equal(((await ask("offline 503 soon")) as { waits: number[] }).waits[0], 2_000);
  });

  it("loses no tap of several threads, and counts no moment twice", async () => {
    const { signals, passed_ms } = (await ask("threads")) as { signals: Signals; passed_ms: number };
    assert.equal(signals.interaction_count, 120_000);
    assert.equal(signals.session_duration, Math.round(passed_ms / 100) / 10);
  });

  it("takes one finger that is lifted where it was put down for a tap, and nothing else", async () => {
    assert.deepEqual(await ask("touches"), [1, 0, 0, 0]);
  });

  it("keeps nothing of a visitor who objects, stops where Assay refuses, works without storage, and refuses wrong options", async () => {
    const urls = ["https://shop.example/signals", "https://assay.example/c/v1/start"];
    assert.deepEqual(await ask("refusals"), { kept: 0, returning: null, urls, warnings: 1, thrown: 3 });
  });

  describe("and the real service", () => {
    let service: TestService;
    let siteId: string;
    let endpoint: string;
    const received: { report: Report & Record<string, unknown>; authorization: string | undefined; verdict: Prediction }[] = [];
    const server = createServer();

    before(async () => {
      const settings = { dataDir: makeTestFolder(), databaseUrl: undefined };
      const { store } = await openStore(settings, { nowMs: Date.now(), onConnectionError: () => {} });
      const account = await makeAccount(store);
      siteId = await makeSite(store, { accountId: account.accountId, origins: ["https://shop.example"] });
      await store.close();
      service = await startService(settings);
      const assay = new Assay({ apiKey: account.liveKey, baseUrl: service.url });
      let requests = 0;
      server.on("request", (request, response) => {
        let text = "";
        request.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
        request.on("end", () => {
          requests += 1;
          // The first attempt fails: the collector tries again.
          if (requests === 1) return response.writeHead(503, { "retry-after": "1" }).end();
          const report = JSON.parse(text) as Report & Record<string, unknown>;
          void assay.predict(report as SessionReport).then((verdict) => received.push({ report, authorization: request.headers.authorization, verdict }));
          return response.writeHead(204).end();
        });
      });
      server.listen(0, "127.0.0.1");
      await once(server, "listening");
      endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/signals`;
    });
    after(async () => {
      server.closeAllConnections();
      server.close();
      await service?.stop();
    });

    async function playLive(scene: string) {
      const measured = (await ask(`live ${scene}`)) as Signals;
      await waitUntil(() => received.length > 0, "the session was scored");
      adapter.stdin!.write("\n");
      return { measured, ...received.shift()! };
    }

    it("score what it reports when the app leaves the foreground, after a retry", async () => {
      const { measured, report, authorization, verdict } = await playLive(endpoint);
      assert.deepEqual([report.visit, report.nth, report.is_test, report.sequence, report.session_token, authorization], ['v"1\\ é😀\n', 1, true, 1, undefined, "Bearer x"]);
      assert.deepEqual([measured.interaction_count, measured.page_views, measured.scroll_depth, measured.return_visitor], [2, 1, 0.5, true]);
      assert.deepEqual({ ...report.session_data, session_duration: 0, user_engagement: 0 }, { ...measured, session_duration: 0, user_engagement: 0 });
      assert.equal(verdict.attestation, "asserted");
      assert.ok(verdict.service_score > 0);
    });

    it("attest it, with a note that it was no page", async () => {
      const { measured, report, verdict } = await playLive(`${endpoint} ${siteId} ${service.url}/c/v1`);
      assert.ok(measured.session_duration >= 3.3 && report.session_token !== undefined);
      assert.deepEqual([verdict.attestation, verdict.attestation_issues], ["server_timed", ["origin_mismatch"]]);
      assert.deepEqual(verdict.attested, ["user_engagement", "session_duration", "scroll_depth", "interaction_count", "page_views"]);
    });
  });

  it("is compiled for Java 11, needs nothing but Kotlin's library, and uses no part of Android", async () => {
    const folder = makeTestFolder();
    await runOrFail(join(prepared.program, "..", "jar"), ["xf", prepared.jar], { cwd: folder });
    const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".class"));
    assert.ok(names.some((name) => name.endsWith("AssayCollector.class")) && names.every((name) => name.startsWith(join("dev", "assay", "collector"))));
    for (const name of names) assert.equal(readFileSync(join(folder, name)).readUInt16BE(6), 55, name);
    for (const name of readdirSync(sources)) {
      const imported = [...readFileSync(join(sources, name), "utf8").matchAll(/^import (\S+)/gm)].map(([, each]) => each!);
      assert.deepEqual(imported.filter((each) => !/^(kotlin\.|java\.(io|net|util)\.)/.test(each)), [], name);
    }
  });

  it("has one version in its metadata, its changelog and its requests", () => {
    const read = (...path: string[]) => readFileSync(join(import.meta.dirname, ...path), "utf8");
    const [, version] = /^version = "(.+)"$/m.exec(read("build.gradle.kts"))!;
    assert.match(read("CHANGELOG.md"), new RegExp(`^## ${version}$`, "m"));
    assert.ok(read("src", "main", "kotlin", "dev", "assay", "collector", "Host.kt").includes(`const val VERSION = "${version}"`));
    assert.equal(read("LICENSE"), readFileSync(new URL("../../packages/sdk/LICENSE", import.meta.url), "utf8"));
  });
});
