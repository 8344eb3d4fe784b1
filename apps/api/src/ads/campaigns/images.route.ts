import type { FastifyInstance } from "fastify";
import { Failure } from "../../failure/failure.ts";
import { takeTurns } from "../../queues/take-turns.ts";
import type { Store } from "../../store/store.ts";
import { selectImage } from "./campaigns.table.ts";
import { extensionOf } from "./image-formats.ts";

type Image = { contentType: string; bytes: Buffer };

const cacheBytesMax = 16 * 1024 * 1024;
const yearSeconds = 31_536_000;
/** Reads of images that are not in the cache, also of such that do not exist. Few at once, so that calls find the store free. */
const readTurns = { atOnceMax: 4, perSubjectMax: 2, waitingMax: 500, what: "reads of images" };

/** A least-recently-used cache, limited in bytes. */
function createImageCache(bytesMax: number) {
  // A Map iterates in insertion order: the first entry is the least recently used.
  const cached = new Map<string, Image>();
  let bytes = 0;
  return {
    get(hash: string): Image | undefined {
      const image = cached.get(hash);
      if (!image) return undefined;
      cached.delete(hash);
      cached.set(hash, image);
      return image;
    },
    add(hash: string, image: Image): void {
      if (image.bytes.length > bytesMax || cached.has(hash)) return;
      cached.set(hash, image);
      bytes += image.bytes.length;
      for (const [oldest, { bytes: { length } }] of cached) {
        if (bytes <= bytesMax) return;
        cached.delete(oldest);
        bytes -= length;
      }
    },
  };
}

/**
 * Serves creatives' images by the hash of their bytes. A URL's content never changes, so it may be cached forever.
 * No API key and no rate limit, but networks take turns (`lineOf` names who waits together). An unknown hash costs one index lookup.
 */
export function addImageRoute(app: FastifyInstance, { store, lineOf }: { store: Store; lineOf: (ip: string) => string }): void {
  const cache = createImageCache(cacheBytesMax);
  const inTurn = takeTurns(readTurns);
  const reads = new Map<string, Promise<Image>>();
  const nothing = () => new Failure("not_found", "There is no such image.");

  async function read(hash: string): Promise<Image> {
    const row = await selectImage(store.db, hash).executeTakeFirst();
    if (!row) throw nothing();
    const image = { contentType: row.content_type, bytes: Buffer.from(row.bytes) };
    cache.add(hash, image);
    return image;
  }

  /** Those who wait for the same image share one read of it. */
  function readOnce(hash: string): Promise<Image> {
    const running = reads.get(hash);
    if (running) return running;
    const found = read(hash).finally(() => reads.delete(hash));
    reads.set(hash, found);
    return found;
  }

  const find = async (hash: string, ip: string): Promise<Image> =>
    cache.get(hash) ?? inTurn(lineOf(ip), async () => cache.get(hash) ?? readOnce(hash));

  app.get<{ Params: { file: string } }>("/cdn/:file", {
    schema: { hide: true },
    exposeHeadRoute: true,
    async handler(request, reply) {
      const [, hash, extension] = /^([0-9a-f]{64})\.([a-z]{3,4})$/.exec(request.params.file) ?? [];
      if (hash === undefined) throw nothing();
      const { contentType, bytes } = await find(hash, request.ip);
      if (extension !== extensionOf(contentType)) throw nothing();
      const etag = `"${hash}"`;
      reply.headers({
        "cache-control": `public, max-age=${yearSeconds}, immutable`,
        etag,
        "x-content-type-options": "nosniff",
        "content-security-policy": "default-src 'none'",
        // Ads are shown on other people's pages.
        "cross-origin-resource-policy": "cross-origin",
        "access-control-allow-origin": "*",
      });
      const wanted = request.headers["if-none-match"];
      if (wanted !== undefined && (wanted.trim() === "*" || wanted.includes(etag))) return reply.code(304).send();
      return reply.type(contentType).send(bytes);
    },
  });
}
