import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { exchangeBytes, statusesIn } from "../../test/exchange-bytes.ts";
import { type OpenedApp, openApp } from "../../test/open-app.ts";

const request = "GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n";
const closes = (received: string): number => received.match(/^connection: close\r$/gim)?.length ?? 0;

describe("a worker that hands connections over", () => {
  let opened: OpenedApp;
  let service: { url: string };

  before(async () => {
    opened = await openApp();
    service = { url: await opened.app.listen({ port: 0, host: "127.0.0.1" }) };
  });

  after(() => opened?.close());

  it("asks as many callers as it was told to connect anew, with a complete answer", async () => {
    opened.state.handOver = 2;
    for (const expected of [1, 1, 0, 0]) {
      const received = await exchangeBytes(service, request, (text) => text.includes('{"status":"ok"}'));
      assert.deepEqual([statusesIn(received), closes(received)], [[200], expected]);
    }
    assert.equal(opened.state.handOver, 0);
  });

  it("leaves a caller alone that has sent more requests: their answers would be lost", async () => {
    opened.state.handOver = 1;
    const received = await exchangeBytes(service, request.repeat(5), (text) => statusesIn(text).length === 5);
    assert.deepEqual(statusesIn(received), [200, 200, 200, 200, 200]);
  });
});
