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
  let arrived = 0;
  const inOrder = createOrder()((request, response) => void begun.push({ request, response }));
  const server = createServer((request, response) => {
    arrived += 1;
    inOrder(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const connect = () => openConversation({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  const conversation = await connect();
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { begun, conversation, connect, urls: () => begun.map(({ request }) => request.url), arrived: () => arrived };
}

const get = (url: string, more = "") => `GET ${url} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`;

describe("requests that are sent ahead", () => {
  it("begin one after the other, each when the answer before it is written, and are answered in order [threat: unread-answers]", async (t) => {
    const { begun, conversation, urls } = await start(t);
    // Twice, more than a connection may have waiting: what was answered does not count against the connection.
    for (const from of [0, 140]) {
      conversation.socket.write(Array.from({ length: 140 }, (_, index) => get(`/${from + index}`)).join(""));
      for (let index = from; index < from + 140; index += 1) {
        await waitUntil(() => begun.length > index, "the next one begins");
        assert.equal(begun.length, index + 1);
        begun[index]!.response.end(`answer ${index}`);
      }
      await conversation.untilAnswers(from + 140);
    }
    assert.deepEqual(conversation.answers().map(({ body }) => body), Array.from({ length: 280 }, (_, index) => `answer ${index}`));
    assert.deepEqual(urls(), Array.from({ length: 280 }, (_, index) => `/${index}`));
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

  it("are 4,096 in all, and 8 of each connection beyond that, to the request [threat: unread-answers]", async (t) => {
    const { begun, connect, arrived } = await start(t);
    assert.deepEqual([waitingMax, waitingAlways], [4_096, 8]);
    /** One begins, and the others wait for it. */
    async function open(name: string, waiting: number) {
      const [conversation, earlier] = [await connect(), arrived()];
      conversation.socket.write(get(`/${name}`).repeat(1 + waiting));
      await waitUntil(() => arrived() === earlier + 1 + waiting, `all of ${name} arrive`);
      return conversation;
    }
    const answerOne = (name: string) => begun.findLast(({ request }) => request.url === `/${name}`)!.response.end();
    for (let index = 0; index < 16; index += 1) await open("filler", 255);
    const small = await open("small", waitingAlways);
    const refused = await open("refused", waitingAlways + 1);
    await refused.untilClosed();
    // 4,088 wait: with one less, the same is just possible.
    const earlier = begun.length;
    answerOne("small");
    await waitUntil(() => begun.length === earlier + 1, "the next one of it begins");
    const last = await open("last", waitingAlways + 1);
    const beyond = await open("beyond", waitingAlways);
    for (const [name, { untilAnswers, answers, isClosed }, count] of [["last", last, waitingAlways + 2], ["beyond", beyond, waitingAlways + 1]] as const) {
      for (let index = 1; index <= count; index += 1) {
        answerOne(name);
        await untilAnswers(index);
        assert.deepEqual([answers().length, isClosed()], [index, false], name);
        if (index < count) await waitUntil(() => !begun.findLast(({ request }) => request.url === `/${name}`)!.response.writableEnded, "the next one begins");
      }
    }
    assert.equal(small.isClosed(), false);
  });

  it("close the connection when more than 256 of them wait, and none of those begins [threat: pipelining-flood]", async (t) => {
    const { begun, conversation } = await start(t);
    conversation.socket.write(Array.from({ length: 300 }, (_, index) => get(`/${index}`)).join(""));
    await conversation.untilClosed();
    assert.equal(begun.length, 1);
  });
});
