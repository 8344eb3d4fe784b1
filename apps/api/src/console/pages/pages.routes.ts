import { landingPaths } from "@assay/contract/dashboard/account.ts";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Failure } from "../../failure/failure.ts";
import { escapeHtml } from "../../mail/lay-out-mail.ts";
import { fileHeaders, noReferrer, pageHeaders } from "./page-headers.ts";

export type PagesContext = {
  /** Built by scripts/build-dashboard.ts. */
  distFolder: string;
  /** Undefined: pages show the address that the browser used. */
  publicUrl: string | undefined;
  /** Base address of ad images; undefined: this origin only. */
  imagesUrl: () => string | undefined;
  version: string;
  modelVersion: string;
  priceUsd: number;
  payerExplained: string;
};

/** Mailed links open these pages. */
const linkedPaths: ReadonlySet<string> = new Set([landingPaths.verifyEmail, landingPaths.confirmEmail, landingPaths.resetPassword]);
const nonceBytes = 18;
const hostPattern = /^[A-Za-z0-9.-]+(:\d{1,5})?$|^\[[0-9A-Fa-f:]+\](:\d{1,5})?$/;

const pagesMissing = (file: string, cause?: unknown): Failure =>
  new Failure("not_found", "The pages are not built. Start the service with `npm start`.", `${file} cannot be read`, { cause });

/** Read for every request: a new build may replace the old one while the service runs. */
async function readPage(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (cause) {
    throw pagesMissing(file, cause);
  }
}

function addressOf(request: FastifyRequest, publicUrl: string | undefined): string {
  if (publicUrl !== undefined) return publicUrl;
  return hostPattern.test(request.host) ? `${request.protocol}://${request.host}` : "http://localhost:8080";
}

/** Replaces `{{name}}` by its escaped value. A name without a value stays, to show what is missing. */
const fillPage = (html: string, values: Readonly<Record<string, string>>): string =>
  html.replaceAll(/\{\{(\w+)\}\}/g, (mark, name: string) => (values[name] === undefined ? mark : escapeHtml(values[name])));

/** The clients, each as the package of its language. Package managers fetch them without an account. */
async function addClients(app: FastifyInstance, { distFolder, publicUrl }: PagesContext): Promise<void> {
  await app.register(fastifyStatic, {
    root: join(distFolder, "clients"),
    prefix: "/clients/",
    decorateReply: false,
    schemaHide: true,
    index: false,
    cacheControl: false,
    setHeaders(reply, path) {
      reply.headers(fileHeaders(false));
      if (path.endsWith(".md") || !/\.[a-z]+$/.test(path)) reply.header("content-type", "text/plain; charset=utf-8");
    },
  });
  // Composer wants to know whole addresses, which depend on who asked: no shared cache may keep them.
  app.get("/clients/php/packages.json", {
    schema: { hide: true },
    async handler(request, reply) {
      const listed = await readPage(join(distFolder, "clients", "php", "packages.json"));
      return reply.headers({ ...fileHeaders(false), "cache-control": "private, no-cache", "content-type": "application/json" }).send(listed.replaceAll("{{address}}", addressOf(request, publicUrl)));
    },
  });
}

/** The landing page, the model card, the API reference, the clients and the dashboard. */
export async function addPages(app: FastifyInstance, context: PagesContext): Promise<void> {
  const sendPage = async (name: string, request: FastifyRequest, reply: FastifyReply, more: Record<string, string> = {}) => {
    const html = await readPage(join(context.distFolder, name));
    const nonce = randomBytes(nonceBytes).toString("base64url");
    const page = fillPage(html, {
      nonce,
      address: addressOf(request, context.publicUrl),
      version: context.version,
      model_version: context.modelVersion,
      price_usd: String(context.priceUsd),
      payer_explained: context.payerExplained,
    });
    const imagesUrl = context.imagesUrl();
    const imageOrigin = imagesUrl === undefined ? undefined : URL.parse(imagesUrl)?.origin;
    return reply.headers({ ...pageHeaders(nonce, imageOrigin), ...more }).send(page);
  };

  const assetsFolder = join(context.distFolder, "dashboard", "assets");
  await app.register(fastifyStatic, {
    root: assetsFolder,
    prefix: "/dashboard/assets/",
    schemaHide: true,
    index: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => void reply.headers(fileHeaders(path.startsWith(assetsFolder))),
  });
  for (const name of ["logo.svg", "color-scheme.js", "licences.txt"]) {
    app.get(`/dashboard/${name}`, {
      schema: { hide: true },
      handler: (_request, reply) => reply.sendFile(name, join(context.distFolder, "dashboard"), { cacheControl: false }),
    });
  }
  // Browsers request this for pages without an icon link.
  app.get("/favicon.ico", { schema: { hide: true }, handler: (_request, reply) => reply.redirect("/dashboard/logo.svg", 301) });
  app.get("/", { schema: { hide: true }, handler: (request, reply) => sendPage("index.html", request, reply) });
  app.get("/model-card", { schema: { hide: true }, handler: (request, reply) => sendPage("model-card/index.html", request, reply) });
  app.get("/clients", { schema: { hide: true }, handler: (request, reply) => sendPage("clients/index.html", request, reply) });
  await addClients(app, context);
  // The same for everybody: the file is compressed by the build.
  app.get("/docs", {
    schema: { hide: true },
    handler: async (_request, reply) => {
      if (!existsSync(join(context.distFolder, "docs", "index.html"))) throw pagesMissing(join(context.distFolder, "docs"));
      return reply.headers(pageHeaders(undefined, undefined)).sendFile("index.html", join(context.distFolder, "docs"), { cacheControl: false });
    },
  });
  app.get("/dashboard", { schema: { hide: true }, handler: (request, reply) => sendPage("dashboard/index.html", request, reply) });
  // Deep links are routed in the browser. More specific routes take precedence.
  app.get("/dashboard/*", {
    schema: { hide: true },
    handler: (request, reply) => {
      const path = (request.params as { "*": string })["*"];
      if (path === "api" || path.startsWith("api/")) throw new Failure("not_found", "There is nothing at this address.");
      return sendPage("dashboard/index.html", request, reply, linkedPaths.has(`/dashboard/${path}`) ? noReferrer : {});
    },
  });
}
