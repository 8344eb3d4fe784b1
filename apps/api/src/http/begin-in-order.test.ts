import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { describe, it, type TestContext } from "node:test";
import { openConversation } from "../../test/lane/converse.ts";
import { waitUntil } from "../../test/send.ts";
import { createOrder, waitingAlways, waitingMax } from "./begin-in-order.ts";

type Begun = { request: IncomingMessage; response: ServerResponse };

/** A server whose answers are the test's, and a connection to it. */
async function start(t: TestContext) {
  const begun: Begun[] = [];
  const server = createServer(createOrder()((request, response) => void begun.push({ request, response })));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const connect = () => openConversation({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  const conversation = await connect();
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { begun, conversation, connect, urls: () => begun.map(({ request }) => request.url) };
}

const get = (url: string, more = "") => `GET ${url} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`;

describe("requests that are sent ahead", () => {
  it("begin one after the other, each when the answer before it is written, and are answered in order [threat: unread-answers]", async (t) => {
    const { begun, conversation, urls } = await start(t);
    conversation.socket.write(Array.from({ length: 200 }, (_, index) => get(`/${index}`)).join(""));
    for (let index = 0; index < 200; index += 1) {
      await waitUntil(() => begun.length > index, "the next one begins");
      assert.equal(begun.length, index + 1);
      begun[index]!.response.end(`answer ${index}`);
    }
    await conversation.untilAnswers(200);
    assert.deepEqual(urls(), Array.from({ length: 200 }, (_, index) => `/${index}`));
    conversation.socket.write(get("/after"));
    await waitUntil(() => begun.length === 201, "the connection is read again");
  });

  it("keep their bodies, and are told to send them in their turn", async (t) => {
    const { begun, conversation } = await start(t);
    const bodies = Array.from({ length: 5 }, (_, index) => String(index).repeat(60_000));
    const post = (body: string, more = "") => `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n${more}\r\n`;
    conversation.socket.write(get("/first") + bodies.map((body) => post(body) + body).join("") + post("late", "Expect: 100-continue\r\n"));
    await waitUntil(() => begun.length === 1, "the first begins");
    begun[0]!.response.end();
    for (const [index, body] of bodies.entries()) {
      await waitUntil(() => begun.length === index + 2, "the next one begins");
      assert.equal(await text(begun[index + 1]!.request), body);
      begun[index + 1]!.response.end();
    }
    await waitUntil(() => conversation.received().includes("100 Continue"), "the last may send its body");
    conversation.socket.write("late");
    await waitUntil(() => begun.length === 7, "the last begins");
    assert.equal(await text(begun[6]!.request), "late");
    begun[6]!.response.end();
    await conversation.untilAnswers(7);
  });

  it("never begin if the connection ends before their turn", async (t) => {
    const { begun, conversation } = await start(t);
    conversation.socket.write(get("/1") + get("/2") + get("/3"));
    await waitUntil(() => begun.length === 1, "the first begins");
    const closed = once(begun[0]!.response, "close");
    conversation.socket.resetAndDestroy();
    begun[0]!.response.end("x".repeat(1_000_000));
    await closed;
    for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(begun.length, 1);
  });

  it("are few in all: while too many wait, connections with more than a few are closed, and others are answered [threat: unread-answers]", async (t) => {
    const { begun, connect, conversation: quiet } = await start(t);
    const ahead = 200;
    const flood = await Promise.all(Array.from({ length: 30 }, connect));
    for (const { socket } of flood) socket.write(get("/flood").repeat(ahead + 1));
    const open = () => flood.filter(({ isClosed }) => !isClosed());
    await waitUntil(() => begun.length === flood.length && open().length <= waitingMax / ahead, "connections are closed");
    quiet.socket.write(get("/quiet").repeat(waitingAlways + 1));
    for (let index = 0; index <= waitingAlways; index += 1) {
      await waitUntil(() => begun.length > flood.length + index, "the next one begins");
      begun[flood.length + index]!.response.end();
    }
    await quiet.untilAnswers(waitingAlways + 1);
    // What they held is free again.
    for (const { socket } of flood) socket.destroy();
    const again = await connect();
    again.socket.write(get("/again").repeat(ahead));
    for (let index = 0; index < ahead; index += 1) {
      const had = flood.length + waitingAlways + 1 + index;
      await waitUntil(() => begun.length > had, "the next one begins");
      begun[had]!.response.end();
    }
    await again.untilAnswers(ahead);
  });

  it("close the connection when more than 256 of them wait, and none of those begins [threat: pipelining-flood]", async (t) => {
    const { begun, conversation } = await start(t);
    conversation.socket.write(Array.from({ length: 300 }, (_, index) => get(`/${index}`)).join(""));
    await conversation.untilClosed();
    assert.equal(begun.length, 1);
  });
});
