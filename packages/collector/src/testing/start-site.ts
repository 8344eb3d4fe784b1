import type { SessionData } from "@assay/contract/measuring/session-totals.ts";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const packageFolder = join(import.meta.dirname, "..", "..");
const root = join(packageFolder, "..", "..");

export type BuiltCollector = { script: string; module: string };

/** Builds the package as it is published but for its types, outside the source tree. */
export async function buildCollector(): Promise<BuiltCollector> {
  const folder = mkdtempSync(join(tmpdir(), "assay-collector-"));
  try {
    const build = spawn(process.execPath, [join(root, "node_modules", ".bin", "tsdown"), "--no-dts", "--out-dir", folder], { cwd: packageFolder, stdio: "ignore" });
    const [code] = (await once(build, "exit")) as [number | null];
    if (code !== 0) throw new Error(`tsdown exited with ${code}`);
    return { script: readFileSync(join(folder, "script.iife.js"), "utf8"), module: readFileSync(join(folder, "collector.js"), "utf8") };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export type Sent = { session_data: SessionData; sequence: number; session_token?: string };
/** `settings` may be changed later. */
export type Site = { url: string; sent: Sent[]; settings: SiteSettings; close(): Promise<void> };

const tall = (more: string) => `<div style="height:4000px"><p>top</p>${more}</div>`;
const controls = `<button id="go">go</button> <input id="text"> <label id="label"><input type="checkbox"> agree</label>
  <a id="link" href="/second">second</a> <a id="jump" href="#part">jump</a><p id="part">part</p>`;
const route = (id: string, code: string) => `<button id="${id}" onclick="${code}">${id}</button>`;

const pages: Record<string, string> = {
  "/long": tall(controls),
  "/second": tall(`<a id="link" href="/long">first</a>`),
  "/short": controls,
  "/spa": tall(
    route("push", "history.pushState(null, '', '/spa/' + Math.random())") +
      route("replace", "history.replaceState(null, '', '/spa/replaced')") +
      route("hash", "location.hash = '#/settings'") +
      route("anchor", "location.hash = '#part'"),
  ),
  "/pane": `<div id="pane" style="height:90vh;overflow:auto"><div style="height:5000px">inner</div></div>`,
};

export type SiteSettings = {
  /** The tag that loads the collector. */
  tag?: string;
  /** Sent with every page. */
  headers?: Record<string, string>;
};

export const ownTag = `<script src="/collector.js" data-endpoint="/signals" defer></script>`;

/** A small site with the collector on every page; it records what the collector sends. */
export async function startSite({ script, module }: BuiltCollector, settings: SiteSettings = {}): Promise<Site> {
  const sent: Sent[] = [];
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://site").pathname;
    const isScript = path === "/collector.js";
    if (isScript || path === "/collector.module.js") return response.writeHead(200, { "content-type": "text/javascript" }).end(isScript ? script : module);
    if (path === "/signals") {
      let body = "";
      request.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
      request.on("end", () => {
        sent.push(JSON.parse(body) as Sent);
        response.writeHead(204).end();
      });
      return response;
    }
    const page = pages[path];
    if (!page) return response.writeHead(404).end();
    const { tag = ownTag, headers = {} } = settings;
    return response.writeHead(200, { ...headers, "content-type": "text/html" }).end(`<!doctype html><title>t</title>${tag}<body>${page}`);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent,
    settings,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
