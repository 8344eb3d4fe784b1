import { type Browser, chromium } from "@playwright/test";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const chromiumFile = process.env.ASSAY_TEST_CHROMIUM ?? "/usr/bin/chromium";

export const whyChromiumIsSkipped = (): string | false => !existsSync(chromiumFile) && "Chromium is not installed";

/** Keep the browser itself off the network; as root it cannot use its sandbox. */
const flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"];

export function launchChromium(): Promise<Browser> {
  // Playwright disables the back-forward cache, which real browsers have.
  return chromium.launch({ executablePath: chromiumFile, args: flags, ignoreDefaultArgs: ["--disable-back-forward-cache"] });
}

/** A page in a browser with a second tab that can cover it: under Playwright every tab is always visible. */
export type BareTab = {
  /** Evaluates an expression in the page. */
  evaluate(expression: string): Promise<unknown>;
  /** Brings the other tab to the front. */
  cover(): Promise<void>;
  uncover(): Promise<void>;
  click(x: number, y: number): Promise<void>;
  close(): Promise<void>;
};

type Reply = { id?: number; result?: Record<string, unknown>; error?: { message: string } };

async function connect(address: string) {
  const socket = new WebSocket(address);
  await once(socket as unknown as EventTarget, "open");
  const waiting = new Map<number, (reply: Reply) => void>();
  socket.addEventListener("message", ({ data }) => {
    const reply = JSON.parse(String(data)) as Reply;
    if (reply.id !== undefined) waiting.get(reply.id)?.(reply);
  });
  let sent = 0;
  return async (method: string, params: object = {}, sessionId?: string): Promise<Record<string, unknown>> => {
    sent += 1;
    const { promise, resolve } = Promise.withResolvers<Reply>();
    waiting.set(sent, resolve);
    socket.send(JSON.stringify({ id: sent, method, params, sessionId }));
    const { result, error } = await promise;
    if (error) throw new Error(`${method}: ${error.message}`);
    return result ?? {};
  };
}

async function readAddress(child: ChildProcess): Promise<string> {
  let printed = "";
  for await (const chunk of child.stderr!) {
    printed += String(chunk);
    const address = /DevTools listening on (ws:\S+)/.exec(printed)?.[1];
    if (address) return address;
  }
  throw new Error(`Chromium did not start:\n${printed}`);
}

/** Opens the page in a browser of its own; `prelude` runs before the page's scripts. With `covered` it opens behind another tab. */
export async function openBareTab(url: string, prelude: string, { covered = false } = {}): Promise<BareTab> {
  const profile = mkdtempSync(join(tmpdir(), "assay-chromium-"));
  const options = ["--headless", ...flags, "--remote-debugging-port=0", `--user-data-dir=${profile}`, "about:blank"];
  const child = spawn(chromiumFile, options, { stdio: ["ignore", "ignore", "pipe"] });
  const ended = once(child, "exit");
  process.once("exit", () => child.kill("SIGKILL"));
  const command = await connect(await readAddress(child));
  child.stderr.resume();
  const { targetId } = await command("Target.createTarget", { url: "about:blank" });
  const { targetId: otherId } = await command("Target.createTarget", { url: "about:blank" });
  const { sessionId } = (await command("Target.attachToTarget", { targetId, flatten: true })) as { sessionId: string };
  const evaluate = async (expression: string) => {
    const { result } = (await command("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true }, sessionId)) as { result: { value: unknown } };
    return result.value;
  };
  const bringToFront = async (id: unknown, expected: string) => {
    await command("Target.activateTarget", { targetId: id });
    const untilVisibility = `document.visibilityState === "${expected}" ? 1 : new Promise((done) => document.addEventListener("visibilitychange", () => done(1), { once: true }))`;
    await evaluate(untilVisibility);
  };
  await bringToFront(targetId, "visible");
  if (covered) await bringToFront(otherId, "hidden");
  await command("Page.enable", {}, sessionId);
  await command("Page.addScriptToEvaluateOnNewDocument", { source: prelude }, sessionId);
  await command("Page.navigate", { url }, sessionId);
  await evaluate(`document.readyState === "complete" ? 1 : new Promise((done) => addEventListener("load", () => done(1)))`);
  return {
    evaluate,
    cover: () => bringToFront(otherId, "hidden"),
    uncover: () => bringToFront(targetId, "visible"),
    async click(x, y) {
      for (const type of ["mousePressed", "mouseReleased"]) await command("Input.dispatchMouseEvent", { type, x, y, button: "left", clickCount: 1 }, sessionId);
    },
    async close() {
      child.kill("SIGKILL");
      await ended;
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
