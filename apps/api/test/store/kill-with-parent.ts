import { type ChildProcess, spawn } from "node:child_process";

/** A shell that waits for this process to end, in whatever way, and then kills the server and deletes its files. Call the result when they are gone already. */
export function killWithParent(server: ChildProcess, folder: string): () => void {
  const watchdog = spawn("/bin/sh", ["-c", 'read -r line; [ -n "$line" ] || kill -9 "$0"; rm -rf "$1"', String(server.pid), folder], { stdio: ["pipe", "ignore", "ignore"], detached: true, cwd: "/" });
  watchdog.on("error", () => undefined);
  watchdog.unref();
  const { stdin } = watchdog;
  // The pipe must not keep the test process alive; only sockets support unref.
  if ("unref" in stdin && typeof stdin.unref === "function") stdin.unref();
  return () => void stdin.end("gone\n");
}
