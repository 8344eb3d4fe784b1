import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server as HttpServer } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, connect, type Socket } from "node:net";
import { after, before, describe, it } from "node:test";
import { type Certificate, makeCertificate } from "../../../test/webhooks/make-certificate.ts";
import { answering, join, openReceiver, type Receiver } from "../../../test/webhooks/open-receiver.ts";
import { type EgressOptions, openEgress, type PostOutcome } from "./post-outwards.ts";

const timeout = 60_000;
const name = "hooks.example.com";
const publicAddress = "93.184.215.14";
const publicAddress6 = "2606:4700:4700::1111";
const servers: { close: () => unknown }[] = [];
after(() => servers.forEach((server) => server.close()));

const portOf = (server: HttpServer) => (server.address() as AddressInfo).port;
const summarize = (outcome: PostOutcome): string => (outcome.kind === "answered" ? `answered ${outcome.status} ${outcome.body}` : `${outcome.kind} ${outcome.reason}`);

/** A receiver with TLS: it answers with the server name that it was asked for, and the Host header. */
async function openTlsReceiver(certificate: Certificate) {
  let requests = 0;
  const server = createTlsServer({ ...certificate, SNICallback: (_asked, use) => use(null) }, (request, response) => {
    requests += 1;
    const { servername } = request.socket as Socket & { servername?: string | false };
    response.end(`${String(servername)} ${request.headers.host}`);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  server.on("tlsClientError", () => {});
  servers.push({ close: () => server.close(() => {}) });
  return { port: portOf(server), requests: () => requests };
}

describe("TLS", () => {
  const post = (url: string, { port, ...options }: { port: number } & Partial<EgressOptions>) =>
    openEgress({ loopbackFor: "everybody", resolve: async () => ["127.0.0.1"], connect: ({ host }) => connect({ host, port }), ...options }).post({ url, headers: {}, body: "{}", owner: "first_developer" });

  it("uses the URL's name for the certificate, for SNI and as Host, though the connection goes to an address", { timeout }, async () => {
    const certificate = makeCertificate([name, "127.0.0.1"]);
    const { port } = await openTlsReceiver(certificate);
    const trusting = { port, ca: [certificate.cert] };
    assert.equal(summarize(await post(`https://${name}/`, trusting)), `answered 200 ${name} ${name}`);
    assert.equal(summarize(await post(`https://${name}:8443/`, trusting)), `answered 200 ${name} ${name}:8443`);
    assert.equal(summarize(await post("https://127.0.0.1/", trusting)), "answered 200 false 127.0.0.1");
  });

  it("sends nothing to a receiver whose certificate is another name's, expired or not trusted [threat: dns-rebinding]", { timeout }, async () => {
    const certificates = [makeCertificate(["other.example.com"]), makeCertificate(["127.0.0.1"]), makeCertificate([name], { expiresMs: Date.now() - 1_000 })];
    for (const certificate of certificates) {
      const { port, requests } = await openTlsReceiver(certificate);
      assert.equal(summarize(await post(`https://${name}/`, { port, ca: [certificate.cert] })), "failed tls");
      assert.equal(requests(), 0);
    }
    const { port, requests } = await openTlsReceiver(makeCertificate([name]));
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
    try {
      assert.equal(summarize(await post(`https://${name}/`, { port })), "failed tls");
    } finally {
      delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
    }
    assert.equal(requests(), 0);
    const byName = makeCertificate([name]);
    const receiver = await openTlsReceiver(byName);
    assert.equal(summarize(await post("https://127.0.0.1/", { port: receiver.port, ca: [byName.cert] })), "failed tls", "an address needs a certificate of its own");
  });

  it("is not given up for a receiver that does not speak it", { timeout }, async () => {
    const plain = await openReceiver(answering("HTTP/1.1 200 OK\r\n\r\n"));
    servers.push(plain);
    assert.equal(summarize(await post(`https://${name}/`, { port: plain.port })), "failed tls");
    const closing = await openReceiver((socket) => socket.end());
    servers.push(closing);
    assert.equal(summarize(await post(`https://${name}/`, { port: closing.port })), "failed tls");
    assert.doesNotMatch(plain.received(), /POST/);
  });
});

describe("EGRESS_PROXY", () => {
  const certificate = makeCertificate([name]);
  const asked: { line: string; headers: string }[] = [];
  let proxy: HttpServer;
  let receiver: Awaited<ReturnType<typeof openTlsReceiver>>;

  before(async () => {
    receiver = await openTlsReceiver(certificate);
    proxy = createServer((_request, response) => response.writeHead(405).end()).listen(0, "127.0.0.1");
    // Whatever address it is asked for, it joins the receiver.
    proxy.on("connect", (request, socket: Socket) => {
      asked.push({ line: `${request.method} ${request.url}`, headers: request.rawHeaders.join("\n") });
      socket.on("error", () => {});
      socket.write("HTTP/1.1 200 Connected\r\n\r\n");
      join(socket, receiver.port);
    });
    await once(proxy, "listening");
    servers.push(proxy);
  });

  const post = (options: Partial<EgressOptions>, url = `https://${name}/`) =>
    openEgress({ loopbackFor: "nobody", resolve: async () => [publicAddress], ca: [certificate.cert], ...options }).post({ url, headers: {}, body: "{}", owner: "first_developer" });

  /** A proxy that does this with each connection. */
  const postThrough = async (serve: (socket: Socket) => void, options: Partial<EgressOptions> = {}): Promise<{ outcome: string; proxied: Receiver }> => {
    const proxied = await openReceiver(serve);
    servers.push(proxied);
    return { outcome: summarize(await post({ proxyUrl: `http://127.0.0.1:${proxied.port}`, ...options })), proxied };
  };

  it("is asked for the pinned address, never for the name, and TLS with the name goes through it [threat: dns-rebinding]", { timeout }, async () => {
    for (const [address, line] of [[publicAddress, `CONNECT ${publicAddress}:443`], [publicAddress6, `CONNECT [${publicAddress6}]:443`]] as const) {
      asked.length = 0;
      let resolutions = 0;
      const resolve = async () => {
        resolutions += 1;
        return resolutions === 1 ? [address] : ["127.0.0.1"];
      };
      assert.equal(summarize(await post({ resolve, proxyUrl: `http://127.0.0.1:${portOf(proxy)}` })), `answered 200 ${name} ${name}`);
      assert.deepEqual([resolutions, asked.map((each) => each.line)], [1, [line]]);
      assert.doesNotMatch(asked[0]!.headers, /example|authorization/i);
    }
  });

  it("gets its own credentials, which receivers do not", { timeout }, async () => {
    asked.length = 0;
    await post({ proxyUrl: `http://me:p%40ss@127.0.0.1:${portOf(proxy)}` });
    assert.match(asked[0]!.headers, new RegExp(`proxy-authorization\nBasic ${Buffer.from("me:p@ss").toString("base64")}`));
  });

  it("is not asked for what is refused, nor for this machine, which is another one there [threat: ssrf]", { timeout }, async () => {
    asked.length = 0;
    const proxyUrl = `http://127.0.0.1:${portOf(proxy)}`;
    assert.equal(summarize(await post({ proxyUrl, resolve: async () => [publicAddress, "10.0.0.1"] })), "refused address_not_public");
    assert.equal(summarize(await post({ proxyUrl }, "https://127.0.0.1/")), "refused address_not_public");
    const local = await openReceiver(answering("HTTP/1.1 200 OK\r\n\r\nlocal"));
    servers.push(local);
    assert.equal(summarize(await post({ proxyUrl, loopbackFor: "everybody" }, `http://localhost:${local.port}/`)), "answered 200 local");
    assert.equal(summarize(await post({ proxyUrl, loopbackFor: "everybody" }, `https://127.0.0.1:${receiver.port}/`)), "failed tls");
    assert.deepEqual(asked, []);
  });

  it("that refuses, answers nonsense or goes on forever is a failure of its own", { timeout }, async () => {
    const answers = ["HTTP/1.1 403 Forbidden\r\n\r\n", "HTTP/1.1 407 Proxy Authentication Required\r\nx-denied: 10.0.0.1\r\n\r\n", "HTTP/1.1 502 Bad Gateway\r\n\r\n", "HTTP/1.1 204 No Content\r\n\r\n", "HTTP/1.1 302 Found\r\nlocation: http://10.0.0.1\r\n\r\n", "SSH-2.0\r\n", "", "HTTP/1.1 200 OK\r\n\r\nunasked", `HTTP/1.1 200 OK\r\n${"x-a: y\r\n".repeat(5_000)}\r\n`];
    for (const answer of answers) {
      const { outcome, proxied } = await postThrough(answering(answer));
      assert.equal(outcome, "failed proxy_refused", answer.slice(0, 40));
      await proxied.whenClosed();
    }
    assert.equal((await postThrough((socket) => socket.once("data", () => socket.resetAndDestroy()))).outcome, "failed proxy_refused");
    const gone = await openReceiver(() => {});
    gone.close();
    assert.equal(summarize(await post({ proxyUrl: `http://127.0.0.1:${gone.port}` })), "failed proxy_unreachable");
  });

  it("that hangs, before or after its answer, is ended by the deadline", { timeout }, async () => {
    for (const serve of [(socket: Socket) => void socket.resume(), (socket: Socket) => void socket.once("data", () => socket.write("HTTP/1.1 200 OK\r\n\r\n")), (socket: Socket) => void socket.once("data", () => socket.write("HTTP/1.1 200 OK\r\nx-a: "))]) {
      const { outcome, proxied } = await postThrough(serve, { deadlineMs: 400 });
      assert.equal(outcome, "failed timeout");
      await proxied.whenClosed();
    }
  });
});
