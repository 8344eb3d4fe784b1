import { LogParams } from "@assay/contract/ledger.ts";
import { parseTilePath, tileWidth } from "@assay/tlog/tiles.ts";
import type { FastifyRequest } from "fastify";
import Type from "typebox";
import { Failure } from "../../../failure/failure.ts";
import { describeFailures, keyedFailures } from "../../../http/describe-failures.ts";
import type { TypedApp } from "../../../http/typed-app.ts";
import type { SecretsContext } from "../../../secrets/read-sealed-key.ts";
import { readLogKeys } from "./log-keys.ts";
import { publishLogs } from "./publish-logs.ts";
import { hasTile } from "./read-log.ts";
import type { TileFiles } from "./tile-files.ts";

const yearSeconds = 31_536_000;
const textType = "text/plain; charset=utf-8";

const nothing = () => new Failure("not_found", "The log has nothing at this address.");

const text = (description: string, example: string) => ({ description, content: { "text/plain": { schema: Type.String({ examples: [example] }) } } });

const originExample = "assay.example.com/assay/Ab3dEf9h";
const checkpointExample = `${originExample}\n109482\nsFodV/vSp5O8n9a8QpW6PRY97tfOSW5bsc2Xl/EQi08=\n\n— ${originExample} hI2DJw==\n`;

/** The part of a reply that these routes use. */
type Headers = { header(name: string, value: string): Headers };

export type LogAccess = "public" | "developers";

type LogSettings = SecretsContext & {
  access: LogAccess;
  tileFiles: TileFiles;
  /** Who asks, for the turns of what is made for it. */
  readerOf: (request: FastifyRequest) => string;
};

/**
 * The log in the layout of C2SP tlog-tiles, without entry bundles. `/log/tile` is the first log's and stays so: its tiles are
 * cached for a year. A log that was opened later has its number in its address.
 */
export function addLogRoutes(app: TypedApp, { access, tileFiles, readerOf, ...context }: LogSettings): void {
  const logs = publishLogs(context.store, { files: tileFiles, readKeys: (origin) => readLogKeys(context, origin) });
  const isKeyed = access === "developers";
  const about = { tags: ["Ledger"], ...(isKeyed && { security: [{ apiKey: [] }] }) };
  const failures = isKeyed ? keyedFailures({ billable: false, notFound: true }) : describeFailures(["not_found", "rate_limit_exceeded", "internal_error", "overloaded"]);
  // A cache that serves many must not answer for a key that was revoked.
  const scope = isKeyed ? "private" : "public";

  async function sendCheckpoint(reply: Headers, log: number | undefined): Promise<string> {
    const checkpoint = await logs.findCheckpoint(log);
    if (!checkpoint) throw nothing();
    reply.header("content-type", textType);
    return checkpoint.note;
  }

  async function sendTile(reply: Headers, log: number, { path, reader }: { path: string; reader: string }): Promise<Buffer> {
    const tile = parseTilePath(path);
    // No log can have it, whatever its size: no need to look.
    if (!tile || !hasTile(tile, Number.MAX_SAFE_INTEGER)) throw nothing();
    const hashes = await logs.findTile(log, tile, reader);
    if (!hashes) throw nothing();
    reply.header("cache-control", `${scope}, max-age=${yearSeconds}, immutable`).header("content-type", "application/octet-stream");
    return Buffer.from(hashes);
  }

  async function sendKeys(reply: Headers, log: number | undefined): Promise<string> {
    const keys = await logs.findKeys(log);
    if (!keys) throw nothing();
    reply.header("content-type", textType);
    return keys.map(({ vkey }) => `${vkey}\n`).join("");
  }

  const ofCheckpoint = {
    summary: "The log's newest checkpoint",
    description: "A C2SP tlog-checkpoint: origin, size and root of the log, signed by it and by its witnesses. 404 while nothing is logged.",
    ...about,
    response: { 200: text("The signed note.", checkpointExample), ...failures },
  };
  const ofKeys = {
    summary: "The keys that sign the log",
    description: "One C2SP verifier key per line, the newest first. For 30 days after a rotation there are two, and both sign.",
    ...about,
    response: { 200: text("Verifier keys.", `${originExample}+82360c59+AQ…\n`), ...failures },
  };
  const ofTile = {
    summary: "A tile of the log",
    description: `\`<level>/<index>\`, or \`<level>/<index>.p/<width>\` for a tile that is not full, as in C2SP tlog-tiles: up to ${tileWidth} hashes of 32 bytes. Never changes. Entry bundles are not served.`,
    ...about,
    response: {
      200: { description: "The hashes.", content: { "application/octet-stream": { schema: Type.Unsafe<Buffer>({ type: "string", format: "binary", examples: ["32 bytes per hash"] }) } } },
      ...failures,
    },
  };
  const TileParams = Type.Object({ "*": Type.String({ description: "Level, index and width." }) });

  app.get("/log/checkpoint", { schema: { operationId: "logCheckpoint", ...ofCheckpoint }, handler: (_request, reply) => sendCheckpoint(reply, undefined) });
  app.get("/log/key", { schema: { operationId: "logKey", ...ofKeys }, handler: (_request, reply) => sendKeys(reply, undefined) });
  app.get("/log/tile/*", {
    schema: { operationId: "logTile", params: TileParams, ...ofTile },
    handler: (request, reply) => sendTile(reply, 1, { path: request.params["*"], reader: readerOf(request) }),
  });
  app.get("/log/:log/checkpoint", {
    schema: { operationId: "numberedLogCheckpoint", params: LogParams, ...ofCheckpoint, summary: "The newest checkpoint of a log" },
    handler: ({ params }, reply) => sendCheckpoint(reply, Number(params.log)),
  });
  app.get("/log/:log/key", {
    schema: { operationId: "numberedLogKey", params: LogParams, ...ofKeys, summary: "The keys, as they sign a log" },
    handler: ({ params }, reply) => sendKeys(reply, Number(params.log)),
  });
  app.get("/log/:log/tile/*", {
    schema: { operationId: "numberedLogTile", params: Type.Object({ ...LogParams.properties, ...TileParams.properties }), ...ofTile, summary: "A tile of a log" },
    handler: (request, reply) => sendTile(reply, Number(request.params.log), { path: request.params["*"], reader: readerOf(request) }),
  });
}
