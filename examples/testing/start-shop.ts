import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeTestFolder } from "../../apps/api/test/start-service.ts";
import type { Prepared } from "../../clients/conformance/adapter.ts";
import { builtPackage, installOffline } from "../../clients/conformance/built-packages.ts";

const root = join(import.meta.dirname, "..", "..");
const startMsMax = 120_000;

/** A copy of the example with both packages installed as they are served; Fastify comes from the checkout. */
export async function installShop(): Promise<string> {
  const folder = makeTestFolder();
  cpSync(join(root, "examples", "fastify"), folder, { recursive: true });
  // npm works offline here, so it must not see the dependency on Fastify.
  const description = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Record<string, unknown>;
  writeFileSync(join(folder, "package.json"), JSON.stringify({ ...description, dependencies: {} }));
  await installOffline(folder, builtPackage("assay-sdk-0.1.0.tgz"), builtPackage("assay-collector-0.1.0.tgz"));
  mkdirSync(join(folder, "node_modules"), { recursive: true });
  symlinkSync(join(root, "node_modules", "fastify"), join(folder, "node_modules", "fastify"));
  return folder;
}

export type Shop = { url: string; stop(): Promise<void> };

export type ShopSettings = {
  ASSAY_URL: string;
  ASSAY_API_KEY: string;
  ASSAY_SITE?: string;
  /** Default: any free port. */
  PORT?: string;
};

/** The page's folder, which every shop serves. */
const pageFolder = join(root, "examples", "page");

export const startShop = (folder: string, settings: ShopSettings): Promise<Shop> => startServer({ program: process.execPath, args: ["server.js"], cwd: folder, env: {} }, settings);

/** Starts a server that prints where it is open. */
export async function startServer({ program, args, cwd, env }: Prepared, settings: ShopSettings): Promise<Shop> {
  const child = spawn(program, args, { cwd, env: { ...env, PORT: "0", ASSAY_PAGE: pageFolder, ...settings }, stdio: ["ignore", "pipe", "pipe"] });
  process.once("exit", () => child.kill("SIGKILL"));
  const ended = once(child, "exit");
  let printed = "";
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  for (const output of [child.stdout, child.stderr]) {
    output.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
      const address = /open at (\S+)/.exec(printed)?.[1];
      if (address) resolve(address);
    });
  }
  const fail = () => reject(new Error(`the shop did not open:\n${printed}`));
  const timer = setTimeout(fail, startMsMax);
  void ended.then(fail);
  const url = await promise;
  clearTimeout(timer);
  return {
    url,
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}
