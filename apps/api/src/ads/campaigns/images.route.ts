import type { FastifyInstance } from "fastify";
import { Failure } from "../../failure/failure.ts";
import type { Store } from "../../store/store.ts";
import { selectImage } from "./campaigns.table.ts";
import { extensionOf } from "./image-formats.ts";

type Image = { contentType: string; bytes: Buffer };

/** What a node keeps of the images that it has served; the rest is in the store and in browsers and proxies. */
const keptBytesMax = 16 * 1024 * 1024;
const yearSeconds = 31_536_000;

/** The images asked for last, up to a number of bytes. */
export function createImageCache(bytesMax: number) {
  // A map remembers the order of insertion: the first is the one that was not asked for the longest.
  const kept = new Map<string, Image>();
  let bytes = 0;
  return {
    get(hash: string): Image | undefined {
      const image = kept.get(hash);
      if (!image) return undefined;
      kept.delete(hash);
      kept.set(hash, image);
      return image;
    },
    keep(hash: string, image: Image): void {
      if (image.bytes.length > bytesMax || kept.has(hash)) return;
      kept.set(hash, image);
      bytes += image.bytes.length;
      for (const [oldest, { bytes: { length } }] of kept) {
        if (bytes <= bytesMax) return;
        kept.delete(oldest);
        bytes -= length;
      }
    },
    bytes: () => bytes,
  };
}

/**
 * Creatives' images, by the hash of their bytes: an address never shows anything else, so whoever has it may
 * keep it for ever. No key, no limits; an unknown hash costs one look into an index.
 */
export function addImageRoute(app: FastifyInstance, { store }: { store: Store }): void {
  const cache = createImageCache(keptBytesMax);
  const nothing = () => new Failure("not_found", "There is no such image.");

  async function find(hash: string): Promise<Image> {
    const known = cache.get(hash);
    if (known) return known;
    const row = await selectImage(store.db, hash).executeTakeFirst();
    if (!row) throw nothing();
    const image = { contentType: row.content_type, bytes: Buffer.from(row.bytes) };
    cache.keep(hash, image);
    return image;
  }

  app.get<{ Params: { file: string } }>("/cdn/:file", {
    schema: { hide: true },
    exposeHeadRoute: true,
    async handler(request, reply) {
      const [, hash, extension] = /^([0-9a-f]{64})\.([a-z]{3,4})$/.exec(request.params.file) ?? [];
      if (hash === undefined) throw nothing();
      const { contentType, bytes } = await find(hash);
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
