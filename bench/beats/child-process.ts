import { fork } from "node:child_process";

/** A program of this folder in a process of its own, which is told its settings once and answers with numbers when it is asked. */
export type LoadProcess<Counts> = { read(): Promise<Counts>; pid: number; stop(): Promise<void> };

/** Resolves once the program has answered for the first time, that is, when it has begun. */
export async function startLoad<Settings extends object, Counts>(program: URL, settings: Settings): Promise<LoadProcess<Counts>> {
  const child = fork(program, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const kill = (): void => void child.kill("SIGKILL");
  process.once("exit", kill);
  const ask = (message: object): Promise<Counts> =>
    new Promise((resolve, reject) => {
      const onExit = (code: number | null) => reject(new Error(`${program.pathname} exited with ${code}`));
      child.once("exit", onExit);
      child.once("message", (counts) => {
        child.off("exit", onExit);
        resolve(counts as Counts);
      });
      child.send(message);
    });
  await ask({ settings });
  return {
    pid: child.pid!,
    read: () => ask({}),
    async stop() {
      child.kill("SIGTERM");
      await exited;
      process.off("exit", kill);
    },
  };
}

/** The other side. `begin` returns what answers questions. */
export function serveLoad<Settings, Counts>(begin: (settings: Settings) => Promise<() => Counts>): void {
  let read: (() => Counts) | undefined;
  process.on("message", (message: { settings?: Settings }) => {
    if (message.settings === undefined) {
      process.send!(read!());
      return;
    }
    begin(message.settings)
      .then((reader) => {
        read = reader;
        process.send!(read());
      })
      .catch((error: unknown) => {
        process.stderr.write(`${String(error)}\n`);
        process.exit(1);
      });
  });
  process.on("SIGTERM", () => process.exit(0));
  // Nobody is left to answer to.
  process.on("disconnect", () => process.exit(0));
}
