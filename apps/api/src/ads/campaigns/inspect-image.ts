/** Checks of an uploaded image that come before any pixel is decoded. */
export const imageBytesMax = 2 * 1024 * 1024;
/** 24 megapixels, as phones and cameras take them: under 100 MB decoded. */
export const imagePixelsMax = 24_000_000;
export const imageSideMax = 12_000;

/** The message is shown to people. */
export class ImageRefused extends Error {
  readonly code: "too_large" | "not_an_image" | "too_many_pixels" | "animated" | "damaged";

  constructor(code: ImageRefused["code"], message: string) {
    super(message);
    this.name = "ImageRefused";
    this.code = code;
  }
}

export type ImageType = "png" | "jpeg" | "webp";

const startsWith = (bytes: Uint8Array, expected: readonly number[], offset = 0): boolean =>
  expected.every((byte, index) => bytes[offset + index] === byte);

const ascii = (text: string): number[] => Array.from(text, (character) => character.charCodeAt(0));

/** By content, because names and declared types prove nothing. */
export function typeOfImage(bytes: Uint8Array): ImageType | undefined {
  if (startsWith(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return "png";
  if (startsWith(bytes, [0xff, 0xd8, 0xff])) return "jpeg";
  if (startsWith(bytes, ascii("RIFF")) && startsWith(bytes, ascii("WEBP"), 8)) return "webp";
  return undefined;
}

const wrongTypes: readonly { pattern: RegExp; name: string }[] = [
  { pattern: /^GIF8/, name: "a GIF" },
  { pattern: /^(\uFEFF|\s)*(<\?xml|<!--|<!DOCTYPE svg|<svg)/i, name: "an SVG or XML document" },
  { pattern: /^BM/, name: "a bitmap" },
  { pattern: /^(II\*\0|MM\0\*)/, name: "a TIFF" },
  { pattern: /^.{4}ftyp(avif|heic|heix|mif1)/s, name: "an AVIF or HEIF" },
  { pattern: /^%PDF/, name: "a PDF" },
];

/** Throws unless the bytes claim to be a PNG, JPEG or WebP of an acceptable length. */
export function checkImageBytes(bytes: Uint8Array): ImageType {
  if (bytes.length > imageBytesMax) {
    throw new ImageRefused("too_large", `the image has ${bytes.length} bytes; at most ${imageBytesMax} (2 MiB) are taken`);
  }
  const type = typeOfImage(bytes);
  if (type) return type;
  const head = Buffer.from(bytes.subarray(0, 256)).toString("latin1");
  const seen = bytes.length === 0 ? "empty" : (wrongTypes.find(({ pattern }) => pattern.test(head))?.name ?? "something else");
  throw new ImageRefused("not_an_image", `the image must be a PNG, JPEG or WebP, and this file is ${seen}`);
}

export function checkImageHeader(header: { width: number; height: number; pages: number }): void {
  const { width, height, pages } = header;
  if (width < 1 || height < 1) throw new ImageRefused("damaged", "the image has no size");
  if (width > imageSideMax || height > imageSideMax || width * height > imagePixelsMax) {
    throw new ImageRefused("too_many_pixels", `the image is ${width} × ${height} pixels; at most ${imageSideMax} a side and ${imagePixelsMax} in all are taken`);
  }
  if (pages > 1) throw new ImageRefused("animated", "the image is animated; a single picture was expected");
}
