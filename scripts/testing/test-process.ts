// What a process of the test command runs: the test files that ASSAY_TEST_FILES names, each as a suite of its own, so that
// hooks of a file apply to that file, and loading the service, which takes longer than most tests, happens once.
import { join } from "node:path";
import { after, describe } from "node:test";

/** Cleaning up may take this long after the last test. Only the test of this file sets it. */
const exitMsMax = Number(process.env.ASSAY_TEST_EXIT_MS_MAX ?? 60_000);
const root = join(import.meta.dirname, "..", "..");
const files = (process.env.ASSAY_TEST_FILES ?? "").split("\n").filter(Boolean);
const millisecondsPerSecond = 1_000;

type Handle = { constructor: { name: string }; spawnargs?: string[]; address?: () => unknown; remoteAddress?: string; remotePort?: number; localPort?: number; fd?: number };

/** Node documents only the kinds of what is active; its own list also has the ports and commands that tell where to look. */
function listActive(): string {
  // oxlint-disable-next-line no-underscore-dangle -- the name is Node's
  const handles = (process as unknown as { _getActiveHandles?: () => Handle[] })._getActiveHandles?.() ?? [];
  const described = handles.map((handle) => {
    const details = [handle.spawnargs?.join(" "), handle.address && JSON.stringify(handle.address()), handle.remotePort && `${handle.localPort} → ${handle.remoteAddress}:${handle.remotePort}`, handle.fd !== undefined && `fd ${handle.fd}`];
    return `${handle.constructor.name} ${details.find((each) => each !== undefined && each !== false) ?? ""}`.trim();
  });
  return [...process.getActiveResourcesInfo(), ...described].join("\n  ");
}

function end(): void {
  console.error(`The tests are over, but the process has not ended within ${exitMsMax / millisecondsPerSecond} s. Files: ${files.join(", ")}. Still active:\n  ${listActive()}`);
  process.exit(1);
}

after(() => setTimeout(end, exitMsMax).unref());
for (const file of files) {
  const { promise: loaded, resolve } = Promise.withResolvers<void>();
  describe(file, async () => {
    try {
      await import(join(root, file));
    } finally {
      resolve();
    }
  });
  // One after another: hooks of a module that several files import belong to the first of them.
  await loaded;
}
