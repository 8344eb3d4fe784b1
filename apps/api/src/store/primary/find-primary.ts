/** Finds the host that accepts writes, and finds it again when another one does. */
import pg from "pg";
import { explain } from "../../failure/failure.ts";
import { connectionSettings } from "./connection-settings.ts";
import { createFence, type Fence, NotPrimary } from "./fence.ts";
import { type DatabaseAddress, type DatabaseHost, nameOfHost, parseAddress } from "./parse-address.ts";
import { readServer, type ServerReading } from "./read-server.ts";
import { durableCommits } from "./session-settings.ts";

/** All hosts are asked at the same time, so one that is frozen or black-holed costs no more than this. */
const answerMsMax = 1_500;
/** While no host accepts writes they are asked again this often, however many callers wait. */
const pauseMs = 100;
/** Also while everything works: a primary that was replaced, but not stopped, answers as before. */
const watchEveryMs = { several: 2_000, one: 10_000 };

/** What the primary last said, and when, by the monotonic clock. */
export type PrimaryReading = ServerReading & { atMs: number };

export type Primary = {
  address: DatabaseAddress;
  fence: Fence;
  /** The host to connect to. Throws NotPrimary if none accepts writes. */
  host(): Promise<DatabaseHost>;
  /** For a connection that was checked. */
  note(reading: ServerReading): void;
  /** Undefined before the first. */
  lastReading(): PrimaryReading | undefined;
  /** A connection failed: the hosts are asked before the next one is opened. */
  suspect(): void;
  /** Asks all hosts every few seconds, from now on. */
  watch(): void;
  close(): void;
};

type Answer = { host: DatabaseHost; reading: ServerReading };
type Refusal = { host: DatabaseHost; why: string };

const isAnswer = (each: Answer | Refusal): each is Answer => "reading" in each;

export function findPrimary(url: string): Primary {
  const address = parseAddress(url);
  const { hosts } = address;
  const fence = createFence();
  const underWay = new Set<pg.Client>();
  let current: (Answer & { isTrusted: boolean }) | undefined;
  let last: PrimaryReading | undefined;
  let searching: Promise<DatabaseHost> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  async function ask(host: DatabaseHost): Promise<ServerReading> {
    const client = new pg.Client({ ...connectionSettings(address, durableCommits), application_name: "assay watch", connectionTimeoutMillis: answerMsMax, query_timeout: answerMsMax });
    Object.assign(client, host);
    client.on("error", () => {});
    underWay.add(client);
    // One time for connecting and answering together.
    const late = setTimeout(() => client.connection.stream.destroy(new Error(`no answer within ${answerMsMax} ms`)), answerMsMax);
    try {
      await client.connect();
      return await readServer(client, durableCommits);
    } finally {
      clearTimeout(late);
      underWay.delete(client);
      client.end().catch(() => {});
    }
  }

  const note = (reading: ServerReading) => {
    last = { ...reading, atMs: performance.now() };
  };

  function accept(answer: Answer): void {
    fence.judge(answer.reading);
    if (!current?.isTrusted || (answer.reading.timeline ?? 0) > (current.reading.timeline ?? 0)) current = { ...answer, isTrusted: true };
    note(answer.reading);
  }

  /** Whatever comes in after the search is over counts too. */
  async function askAndJudge(host: DatabaseHost): Promise<Answer> {
    const answer = { host, reading: await ask(host) };
    accept(answer);
    return answer;
  }

  const askForReading = (host: DatabaseHost): Promise<Answer | Refusal> =>
    ask(host).then((reading) => ({ host, reading }), (error: unknown) => ({ host, why: explain(error) }));

  const refuse = (reasons: readonly Refusal[]): never => {
    throw new NotPrimary(`no host accepts writes: ${reasons.map(({ host, why }) => `${nameOfHost(host)}: ${why}`).join("; ")}`);
  };

  /** Nothing is known yet: every host is heard before one is chosen. */
  async function searchFirst(): Promise<DatabaseHost> {
    const answers = await Promise.all(hosts.map(askForReading));
    const refusals = answers.filter((each): each is Refusal => !isAnswer(each));
    const readings = answers.filter(isAnswer);
    if (new Set(readings.flatMap(({ reading }) => reading.systemId ?? [])).size > 1) throw new NotPrimary("the hosts belong to different clusters");
    for (const answer of readings.toSorted((one, other) => (other.reading.timeline ?? 0) - (one.reading.timeline ?? 0))) {
      try {
        accept(answer);
        return answer.host;
      } catch (error) {
        refusals.push({ host: answer.host, why: explain(error) });
      }
    }
    return refuse(refusals);
  }

  /** The first host that may be used is used: any that was replaced is recognized. */
  async function searchAgain(): Promise<DatabaseHost> {
    const asked = hosts.map((host) => askAndJudge(host));
    const settled = Promise.allSettled(asked).then((results) => {
      if (!results.some((each) => each.status === "fulfilled" && each.value.host === current?.host)) distrust();
      return results;
    });
    return Promise.any(asked).then(
      () => current!.host,
      async () => refuse((await settled).map((each, index) => ({ host: hosts[index]!, why: each.status === "rejected" ? explain(each.reason) : "" }))),
    );
  }

  const distrust = () => {
    if (current) current.isTrusted = false;
  };

  function search(): Promise<DatabaseHost> {
    if (isClosed) return Promise.reject(new NotPrimary("the store is closed"));
    if (searching) return searching;
    const begun = fence.hasSeenAny() ? searchAgain() : searchFirst();
    searching = begun;
    const end = () => {
      if (searching === begun) searching = undefined;
    };
    begun.then(end, () => setTimeout(end, pauseMs).unref());
    return begun;
  }

  function schedule(delayMs: number): void {
    clearTimeout(timer);
    if (isClosed) return;
    timer = setTimeout(() => {
      search().catch(distrust).finally(() => schedule(current?.isTrusted ? everyMs : Math.min(everyMs, answerMsMax / 2)));
    }, delayMs).unref();
  }
  const everyMs = hosts.length > 1 ? watchEveryMs.several : watchEveryMs.one;

  return {
    address,
    fence,
    // A name, or a proxy, decides by itself where it leads to: the connection is checked in any case.
    host: async () => (hosts.length === 1 ? hosts[0] : current?.isTrusted ? current.host : search()),
    note,
    lastReading: () => last,
    suspect() {
      if (hosts.length === 1 || current?.isTrusted === false) return;
      distrust();
      if (timer) schedule(0);
    },
    watch: () => schedule(everyMs),
    close() {
      isClosed = true;
      clearTimeout(timer);
      for (const client of underWay) client.connection.stream.destroy();
    },
  };
}
