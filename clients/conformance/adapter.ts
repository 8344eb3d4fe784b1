// Drives a client in any language: one JSON object per line in, one per line out. README.md has the commands.
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";

/** How to start an adapter that uses the built and installed package. */
export type Prepared = { program: string; args: readonly string[]; cwd: string; env: NodeJS.ProcessEnv };

export type Meta = { request_id: string | null; receipt: string | null; replayed: boolean; attempts: number };

export type CallError = {
  code: string;
  status: number;
  message: string;
  request_id: string | null;
  is_retryable: boolean;
  retry_after_seconds: number | null;
  attempts: number;
  idempotency_key: string | null;
};

export type Reply = {
  answer?: Record<string, unknown>;
  meta?: Meta;
  fallback?: unknown;
  error?: Partial<CallError>;
  refused?: string;
  waits_ms?: number[];
};

const replyMsMax = 60_000;
const complaintCharactersMax = 20_000;

export class Adapter {
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #waiting: ((reply: Reply | Error) => void)[] = [];
  #complaints = "";
  #unread = "";
  #end: Error | undefined;

  constructor({ program, args, cwd, env }: Prepared) {
    this.#child = spawn(program, args, { cwd, env, stdio: ["pipe", "pipe", "pipe"] });
    const kill = () => this.#child.kill("SIGKILL");
    process.once("exit", kill);
    this.#child.stdin.on("error", () => {});
    this.#child.stderr.setEncoding("utf8").on("data", (text: string) => (this.#complaints = (this.#complaints + text).slice(-complaintCharactersMax)));
    this.#child.stdout.setEncoding("utf8").on("data", (text: string) => this.#read(text));
    const end = (why: string) => {
      this.#end = new Error(`${program} ${why}\n${this.#complaints}`);
      for (const settle of this.#waiting.splice(0)) settle(this.#end);
    };
    this.#child.on("error", (error) => end(error.message));
    this.#child.on("close", (code) => {
      process.off("exit", kill);
      end(`ended with ${code}`);
    });
  }

  /** Not with readline, which also ends a line at U+2028. */
  #read(text: string): void {
    const lines = (this.#unread + text).split("\n");
    this.#unread = lines.pop()!;
    for (const line of lines) this.#waiting.shift()?.(parseReply(line));
  }

  /** Commands are answered in their order. */
  async ask(command: object): Promise<Reply> {
    if (this.#end) throw this.#end;
    const reply = await new Promise<Reply | Error>((resolve) => {
      const timer = setTimeout(() => resolve(new Error(`no reply to ${JSON.stringify(command)}\n${this.#complaints}`)), replyMsMax);
      this.#waiting.push((each) => {
        clearTimeout(timer);
        resolve(each);
      });
      this.#child.stdin.write(`${toAscii(JSON.stringify(command))}\n`);
    });
    if (reply instanceof Error) throw reply;
    return reply;
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, "close");
    this.#child.stdin.end();
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), 5_000);
    await ended;
    clearTimeout(timer);
  }
}

/** An adapter need not care how its standard input is encoded. */
const toAscii = (json: string): string => json.replaceAll(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

function parseReply(line: string): Reply | Error {
  try {
    return JSON.parse(line) as Reply;
  } catch {
    return new Error(`not a line of JSON: ${line}`);
  }
}
