import type { FastifyInstance } from "fastify";
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import Type from "typebox";
import { Failure } from "../failure/failure.ts";
import { describeFailures } from "../http/describe-failures.ts";

/** The best one first. The build makes a file of each. */
const encodings = [
  { name: "br", suffix: ".br" },
  { name: "gzip", suffix: ".gz" },
] as const;
const cacheSeconds = 3_600;
const etagCharacters = 22;

type Representation = { encoding: string | undefined; etag: string; bytes: Buffer };

/** The file and its compressed forms, the plain one last. */
async function readScript(file: string): Promise<Representation[]> {
  const forms = [...encodings, { name: undefined, suffix: "" }];
  return Promise.all(
    forms.map(async ({ name, suffix }) => {
      const bytes = await readFile(file + suffix);
      return { encoding: name, etag: `"${createHash("sha256").update(bytes).digest("base64url").slice(0, etagCharacters)}"`, bytes };
    }),
  );
}

const accepts = (header: string, encoding: string): boolean =>
  header.split(",").some((each) => {
    const [name, ...parameters] = each.split(";").map((part) => part.trim().toLowerCase());
    return name === encoding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });

/** Caches that compress by themselves mark the tag as weak. */
const isKnown = (header: string, etag: string): boolean => header.split(",").some((each) => each.trim() === "*" || each.trim().replace(/^W\//, "") === etag);

/**
 * The collector, for pages of every origin. It is read once: a process serves the script of its own version, also after a
 * new one was built.
 */
export function addCollectorScriptRoute(app: FastifyInstance, { distFolder }: { distFolder: string }): void {
  const file = join(distFolder, "c", "v1", "collector.js");
  let reading: Promise<Representation[]> | undefined;

  async function findScript(): Promise<Representation[]> {
    try {
      return await (reading ??= readScript(file));
    } catch (cause) {
      reading = undefined;
      throw new Failure("not_found", "The collector is not built. Start the service with `npm start`.", `${file} cannot be read`, { cause });
    }
  }

  app.get("/c/v1/collector.js", {
    schema: {
      tags: ["Attested sessions"],
      operationId: "collectorScript",
      summary: "The collector",
      description: "The script that measures a session on a page. With `data-site` it has the session attested by the installation that it comes from.",
      response: {
        200: { description: "The script.", content: { "text/javascript": { schema: Type.String({ examples: ["(function(){…})()"] }) } } },
        304: Type.Null({ description: "The copy that the caller has is current." }),
        ...describeFailures(["not_found", "internal_error"]),
      },
    },
    async handler({ headers }, reply) {
      const script = await findScript();
      const wanted = headers["accept-encoding"] ?? "";
      const { encoding, etag, bytes } = script.find((each) => each.encoding === undefined || accepts(wanted, each.encoding))!;
      reply.headers({
        "cache-control": `public, max-age=${cacheSeconds}`,
        etag,
        vary: "accept-encoding",
        // Pages of other origins load it, and may check its hash.
        "cross-origin-resource-policy": "cross-origin",
        "access-control-allow-origin": "*",
      });
      if (isKnown(headers["if-none-match"] ?? "", etag)) return reply.code(304).send();
      if (encoding !== undefined) reply.header("content-encoding", encoding);
      return reply.header("content-type", "text/javascript; charset=utf-8").send(bytes);
    },
  });
}
