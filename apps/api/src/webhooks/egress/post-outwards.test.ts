import assert from "node:assert/strict";
import { connect, Socket } from "node:net";
import { after, describe, it } from "node:test";
import { answering, openReceiver, type Receiver } from "../../../test/webhooks/open-receiver.ts";
import { type Egress, type EgressOptions, openEgress, type OutgoingPost, type PostOutcome } from "./post-outwards.ts";

/** Only a guard against a test that hangs: deadlines of the code are injected. */
const timeout = 60_000;
const deadlineMs = 400;
const publicAddress = "93.184.215.14";
const publicAddress6 = "2606:4700:4700::1111";

const opened: Receiver[] = [];
const open = async (...given: Parameters<typeof openReceiver>): Promise<Receiver> => {
  const receiver = await openReceiver(...given);
  opened.push(receiver);
  return receiver;
};
after(() => opened.forEach((receiver) => receiver.close()));

const send = (egress: Egress, url: string, rest: Partial<OutgoingPost> = {}): Promise<PostOutcome> => egress.post({ url, headers: {}, body: "{}", owner: "first_developer", ...rest });
const onLoopback = (options: Partial<EgressOptions> = {}) => openEgress({ loopbackFor: "everybody", ...options });
const summarize = (outcome: PostOutcome): string => (outcome.kind === "answered" ? `answered ${outcome.status}` : `${outcome.kind} ${outcome.reason}`);

/** An installation that others can reach. Its connections are written down and go nowhere. */
function openOutside(resolve: NonNullable<EgressOptions["resolve"]>, options: Partial<EgressOptions> = {}) {
  const dialled: string[] = [];
  const egress = openEgress({
    loopbackFor: "nobody",
    resolve,
    connect: ({ host, port }) => {
      dialled.push(`${host} ${port}`);
      return new Socket().destroy(Object.assign(new Error("nowhere"), { code: "ENETUNREACH" }));
    },
    ...options,
  });
  return { egress, dialled };
}

describe("a name's addresses", () => {
  const inside = ["127.0.0.1", "127.8.8.8", "0.0.0.0", "10.0.0.1", "172.20.0.1", "192.168.1.1", "100.64.0.1", "169.254.169.254", "192.0.0.8", "192.0.2.1", "198.18.0.1", "224.0.0.1", "255.255.255.255", "::", "::1", "::ffff:127.0.0.1", "::ffff:a9fe:a9fe", "::127.0.0.1", "64:ff9b::7f00:1", "64:ff9b::10.0.0.1", "2002:7f00:1::", "2001:0:7f00:1::", "fd00:ec2::254", "fc00::1", "fe80::1", "fe80::1%eth0", "fec0::1", "ff02::1", "2001:db8::1", "5f00::1", "100::1", "not-an-address", ""];

  it("of the inside are refused without a connection, alone and among public ones [threat: ssrf]", { timeout }, async () => {
    for (const address of inside) {
      for (const answer of [[address], [publicAddress, address], [address, publicAddress], [publicAddress, publicAddress6, address]]) {
        const { egress, dialled } = openOutside(async () => answer);
        const outcome = await send(egress, "https://hooks.example.com/");
        assert.equal(summarize(outcome), "refused address_not_public", String(answer));
        assert.deepEqual(dialled, []);
        assert(outcome.kind === "refused" && !outcome.message.includes(address || "?"));
      }
    }
  });

  it("that are public are connected to: one of each family, and no other", { timeout }, async () => {
    for (const [answer, expected] of [
      [[publicAddress], [`${publicAddress} 443`]],
      [[publicAddress6], [`${publicAddress6} 443`]],
      [[publicAddress, "1.1.1.1", "8.8.8.8"], [`${publicAddress} 443`]],
      [[publicAddress6, "2001:4860:4860::8888", "1.1.1.1", "8.8.8.8"], [`${publicAddress6} 443`, "1.1.1.1 443"]],
    ] as const) {
      const { egress, dialled } = openOutside(async () => answer);
      assert.equal(summarize(await send(egress, "https://hooks.example.com/")), "failed unreachable");
      assert.deepEqual(dialled, expected);
    }
  });

  it("are asked for once, so that a second answer changes nothing; the next request asks again [threat: dns-rebinding]", { timeout }, async () => {
    const answers = [[publicAddress], ["127.0.0.1"]];
    let asked = 0;
    const { egress, dialled } = openOutside(async () => answers[asked++]!);
    assert.equal(summarize(await send(egress, "https://hooks.example.com/")), "failed unreachable");
    assert.deepEqual([asked, dialled], [1, [`${publicAddress} 443`]]);
    assert.equal(summarize(await send(egress, "https://hooks.example.com/")), "refused address_not_public");
    assert.deepEqual([asked, dialled], [2, [`${publicAddress} 443`]]);
  });

  it("get no byte if the connection has reached another one [threat: dns-rebinding]", { timeout }, async () => {
    const receiver = await open(answering("HTTP/1.1 200 OK\r\n\r\n"));
    const egress = onLoopback({ resolve: async () => ["127.0.0.2"], connect: () => connect({ host: "127.0.0.1", port: receiver.port }) });
    assert.equal(summarize(await send(egress, "https://hooks.example.com/")), "failed unreachable");
    await receiver.whenClosed();
    assert.deepEqual([receiver.connections(), receiver.received()], [1, ""]);
  });

  it("are not asked for where the URL has an address, which is judged itself [threat: ssrf]", { timeout }, async () => {
    const { egress, dialled } = openOutside(async () => assert.fail("resolved"));
    for (const host of ["127.0.0.1", "2130706433", "[::1]", "[::ffff:10.0.0.1]", "[64:ff9b::7f00:1]", "①②⑦.⓪.⓪.①"]) assert.equal(summarize(await send(egress, `https://${host}/`)), "refused address_not_public", host);
    assert.equal(summarize(await send(egress, "https://localhost/")), "refused host_not_public");
    assert.deepEqual(dialled, []);
    assert.equal(summarize(await send(egress, "https://[2606:4700:4700::1111]:8443/")), "failed unreachable");
    assert.deepEqual(dialled, [`${publicAddress6} 8443`]);
  });

  it("that do not exist, or that nobody can tell, are a failure that says no more", { timeout }, async () => {
    for (const resolve of [async () => [], async () => Promise.reject(new Error("queryA ESERVFAIL 10.0.0.53"))]) {
      assert.deepEqual({ ...(await send(openOutside(resolve).egress, "https://hooks.example.com/")), durationMs: 0 }, { kind: "failed", reason: "dns", durationMs: 0 });
    }
  });

  it("may be private for operators' endpoints where a setting says so, and for nobody else's [threat: ssrf]", { timeout }, async () => {
    const { egress, dialled } = openOutside(async () => ["10.1.2.3"], { privateCidrs: ["10.1.0.0/16"] });
    assert.equal(summarize(await send(egress, "https://receiver.internal/")), "refused address_not_public");
    assert.equal(summarize(await send(egress, "https://10.1.2.3/")), "refused address_not_public");
    assert.deepEqual(dialled, []);
    assert.equal(summarize(await send(egress, "https://receiver:9000/", { owner: "operators" })), "failed unreachable");
    assert.deepEqual(dialled, ["10.1.2.3 9000"]);
    const elsewhere = openOutside(async () => ["10.2.0.1"], { privateCidrs: ["10.1.0.0/16"] });
    assert.equal(summarize(await send(elsewhere.egress, "https://receiver:9000/", { owner: "operators" })), "refused address_not_public");
    const outside = openOutside(async () => [publicAddress], { privateCidrs: ["10.1.0.0/16"] });
    assert.equal(summarize(await send(outside.egress, "https://hooks.example.com:9000/", { owner: "operators" })), "refused port_not_allowed");
    assert.throws(() => openEgress({ loopbackFor: "nobody", privateCidrs: ["0.0.0.0/0"] }), /private/);
  });

  it("of this machine are for the developer of the first start alone, whatever a name resolves to and when [threat: ssrf-loopback]", { timeout }, async () => {
    const answers = [[publicAddress], ["127.0.0.1"], ["::1"], ["::ffff:127.0.0.1"]];
    for (const owner of ["developer", "operators"] as const) {
      let asked = 0;
      const { egress, dialled } = openOutside(async () => answers[asked++]!, { loopbackFor: "first_developer" });
      assert.equal(summarize(await send(egress, "https://hooks.example.com/", { owner })), "failed unreachable");
      // A name says nothing of the setting: whether it leads to this machine or to another one inside stays unsaid.
      for (let again = 1; again < answers.length; again += 1) assert.equal(summarize(await send(egress, "https://hooks.example.com/", { owner })), "refused address_not_public");
      for (const url of ["http://localhost:9/", "https://a.localhost/", "http://127.0.0.1:9/", "http://[::1]:9/", "http://[::ffff:127.0.0.1]:9/", "http://2130706433:9/"]) assert.equal(summarize(await send(egress, url, { owner })), "refused loopback_off", url);
      for (const url of ["https://0.0.0.0/", "https://[::]/", "https://[64:ff9b::7f00:1]/", "https://10.0.0.1/"]) assert.equal(summarize(await send(egress, url, { owner })), "refused address_not_public", url);
      assert.deepEqual(dialled, [`${publicAddress} 443`]);
    }
    const { egress, dialled } = openOutside(async () => ["127.0.0.1"], { loopbackFor: "first_developer" });
    for (const url of ["https://hooks.example.com:8443/", "http://127.0.0.1:9/"]) assert.equal(summarize(await send(egress, url)), "failed unreachable");
    assert.deepEqual(dialled, ["127.0.0.1 8443", "127.0.0.1 9"]);
  });

  it("of this machine answer those whose machine it is: other developers are told the status alone [threat: ssrf-loopback]", { timeout }, async () => {
    const receiver = await open(answering("HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nfine"));
    for (const [owner, body] of [["developer", null], ["first_developer", "fine"], ["operators", "fine"]] as const) {
      const outcome = await send(onLoopback(), `http://127.0.0.1:${receiver.port}/`, { owner });
      assert(outcome.kind === "answered");
      assert.deepEqual([outcome.status, outcome.body], [200, body]);
    }
  });

  it("of this machine and of others together are refused, also where this machine alone is allowed", { timeout }, async () => {
    const egress = onLoopback({ resolve: async () => ["127.0.0.1", publicAddress], connect: () => assert.fail("connected") });
    assert.equal(summarize(await send(egress, "https://hooks.example.com/")), "refused address_not_public");
  });
});

describe("an exchange", () => {
  const urlOf = ({ port }: Receiver) => `http://127.0.0.1:${port}/in?x=1`;

  it("sends what it was given, and headers of its own that the caller cannot change", { timeout }, async () => {
    const receiver = await open(answering("HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\nfine"));
    const outcome = await send(onLoopback({ elapsedMs: () => 5 }), urlOf(receiver), { headers: { "webhook-id": "evt_1", HOST: "evil.example", Connection: "keep-alive", "Content-Length": "1" }, body: '{"ü":1}' });
    assert.deepEqual(outcome, { kind: "answered", status: 200, body: "fine", retryAfter: undefined, durationMs: 0 });
    const [head, body] = receiver.received().split("\r\n\r\n");
    assert.equal(body, '{"ü":1}');
    assert.deepEqual(head!.split("\r\n"), ["POST /in?x=1 HTTP/1.1", "webhook-id: evt_1", `host: 127.0.0.1:${receiver.port}`, "connection: close", "content-length: 8", "accept-encoding: identity"].toSorted((a, b) => head!.indexOf(a) - head!.indexOf(b)));
    await assert.rejects(send(onLoopback(), urlOf(receiver), { headers: { "x-a": "1\r\nx-b: 2" } }), /Invalid character/);
    await receiver.whenClosed();
  });

  it("reports every status as it is", { timeout }, async () => {
    for (const status of [200, 204, 299, 304, 400, 404, 410, 429, 500, 503]) {
      const receiver = await open(answering(`HTTP/1.1 ${status} Whatever\r\nconnection: close\r\n\r\n`));
      assert.equal(summarize(await send(onLoopback(), urlOf(receiver))), `answered ${status}`);
    }
  });

  it("reaches localhost without a resolver, whichever family it listens on", { timeout }, async () => {
    for (const host of ["127.0.0.1", "::1"]) {
      const receiver = await open(answering("HTTP/1.1 204 No Content\r\n\r\n"), host);
      assert.equal(summarize(await send(onLoopback(), `http://localhost:${receiver.port}/`)), "answered 204");
    }
  });

  it("follows no redirect: its target is never contacted [threat: redirect-inwards]", { timeout }, async () => {
    const target = await open(answering("HTTP/1.1 200 OK\r\n\r\n"));
    for (const status of [301, 302, 303, 307, 308]) {
      const receiver = await open(answering(`HTTP/1.1 ${status} Elsewhere\r\nlocation: ${urlOf(target)}\r\ncontent-length: 0\r\n\r\n`));
      assert.equal(summarize(await send(onLoopback(), urlOf(receiver))), `answered ${status}`);
    }
    assert.equal(target.connections(), 0);
  });

  it("ends with a reason when the receiver resets, closes or speaks something else", { timeout }, async () => {
    const cases: [string, (socket: Socket) => void][] = [
      ["closed_early", (socket) => socket.once("data", () => socket.resetAndDestroy())],
      ["closed_early", (socket) => socket.once("data", () => socket.end())],
      ["closed_early", (socket) => socket.end()],
      ["closed_early", answering("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf")],
      ["closed_early", (socket) => socket.once("data", () => socket.write("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf", () => socket.resetAndDestroy()))],
      ["answer_invalid", answering("SSH-2.0-OpenSSH_9.9\r\n")],
      ["closed_early", answering("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nnot hex\r\n")],
    ];
    for (const [reason, serve] of cases) {
      const receiver = await open(serve);
      assert.equal(summarize(await send(onLoopback(), urlOf(receiver))), `failed ${reason}`);
    }
    const gone = await open(() => {});
    gone.close();
    assert.equal(summarize(await send(onLoopback(), urlOf(gone))), "failed connection_refused");
  });

  it("keeps 4 KB of an answer and closes: of a gigabyte little is even sent [threat: endless-answer]", { timeout }, async () => {
    const total = 1_024 ** 3;
    const chunk = Buffer.alloc(64 * 1_024, "x");
    let written = 0;
    const receiver = await open((socket) => {
      const pump = () => {
        while (written < total && !socket.destroyed) {
          written += chunk.length;
          if (!socket.write(chunk)) return;
        }
      };
      socket.once("data", () => {
        socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${total}\r\n\r\n`);
        pump();
      });
      socket.on("drain", pump);
    });
    const outcome = await send(onLoopback({ deadlineMs: timeout }), urlOf(receiver));
    assert(outcome.kind === "answered" && outcome.body === "x".repeat(4_096), summarize(outcome));
    await receiver.whenClosed();
    assert.ok(written < total / 16, `${written} bytes were sent`);
  });

  it("gives up on headers that do not end [threat: endless-answer]", { timeout }, async () => {
    let written = 0;
    const receiver = await open((socket) => {
      const pump = () => {
        while (!socket.destroyed) {
          written += 1;
          if (!socket.write(`x-${written}: ${"y".repeat(100)}\r\n`)) return;
        }
      };
      socket.once("data", () => {
        socket.write("HTTP/1.1 200 OK\r\n");
        pump();
      });
      socket.on("drain", pump);
    });
    assert.equal(summarize(await send(onLoopback({ deadlineMs: timeout }), urlOf(receiver))), "failed answer_invalid");
    await receiver.whenClosed();
  });

  it("undoes no coding, and returns text that every store takes", { timeout }, async () => {
    const answers: [Buffer, string][] = [
      [Buffer.from([0x1f, 0x8b, 0x00, 0x41]), "\u001F\uFFFD\uFFFDA"],
      [Buffer.from(`${"x".repeat(4_095)}ü`), "x".repeat(4_095)],
      [Buffer.from("ok\0ü"), "ok\uFFFDü"],
    ];
    for (const [bytes, expected] of answers) {
      const receiver = await open((socket) => socket.once("data", () => {
        socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bytes.length}\r\n\r\n`);
        socket.end(bytes);
      }));
      const outcome = await send(onLoopback(), urlOf(receiver));
      assert(outcome.kind === "answered");
      assert.equal(outcome.body, expected);
    }
  });

  it("refuses to send a body beyond its bound", async () => {
    await assert.rejects(send(onLoopback(), "http://127.0.0.1:9/", { body: new Uint8Array(256 * 1_024 + 1) }), /262144 bytes/);
  });
});

describe("the deadline", () => {
  const silent = (socket: Socket) => void socket.resume();
  const stalls: Record<string, (socket: Socket) => void> = {
    "the receiver never answers": silent,
    "the status line comes by the byte": (socket) => drip(socket, "", "HTTP/1.1 200 OK"),
    "the headers come by the byte": (socket) => drip(socket, "HTTP/1.1 200 OK\r\n", "x-a: y\r\n".repeat(100)),
    "the body comes by the byte": (socket) => drip(socket, "HTTP/1.1 200 OK\r\ncontent-length: 4000\r\n\r\n", "x".repeat(4_000)),
    "interim answers go on forever": (socket) => drip(socket, "", "HTTP/1.1 103 Early Hints\r\n\r\n".repeat(200), 29),
  };

  function drip(socket: Socket, start: string, rest: string, step = 1): void {
    let at = 0;
    socket.once("data", () => {
      socket.write(start);
      const timer = setInterval(() => socket.write(rest.slice(at, (at += step))), 100);
      socket.on("close", () => clearInterval(timer));
    });
  }

  for (const [what, serve] of Object.entries(stalls)) {
    it(`ends an exchange in which ${what} [threat: endless-answer]`, { timeout }, async () => {
      const receiver = await open(serve);
      assert.equal(summarize(await send(onLoopback({ deadlineMs }), `http://127.0.0.1:${receiver.port}/`)), "failed timeout");
      await receiver.whenClosed();
    });
  }

  it("includes TLS", { timeout }, async () => {
    const receiver = await open(silent);
    assert.equal(summarize(await send(onLoopback({ deadlineMs }), `https://127.0.0.1:${receiver.port}/`)), "failed timeout");
    await receiver.whenClosed();
  });

  it("includes the resolution, which is cancelled, and nothing is connected to after it", { timeout }, async () => {
    const { promise, resolve } = Promise.withResolvers<readonly string[]>();
    let isCancelled = false;
    const sockets: Socket[] = [];
    const egress = openEgress({
      loopbackFor: "nobody",
      deadlineMs,
      resolve: async (_name, { signal }) => {
        signal.addEventListener("abort", () => (isCancelled = true));
        return promise;
      },
      connect: () => {
        sockets.push(new Socket());
        return sockets.at(-1)!;
      },
    });
    assert.equal(summarize(await send(egress, "https://hooks.example.com/")), "failed timeout");
    assert.ok(isCancelled);
    resolve([publicAddress, publicAddress6]);
    await new Promise(setImmediate);
    assert.ok(sockets.every((socket) => socket.destroyed));
  });

  it("includes connecting", { timeout }, async () => {
    const socket = new Socket();
    const egress = openEgress({ loopbackFor: "nobody", deadlineMs, resolve: async () => [publicAddress], connect: () => socket });
    assert.equal(summarize(await send(egress, "https://hooks.example.com/")), "failed timeout");
    assert.ok(socket.destroyed);
  });
});
