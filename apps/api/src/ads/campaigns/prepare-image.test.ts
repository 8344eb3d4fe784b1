import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { crc32, deflateSync } from "node:zlib";
import sharp from "sharp";
import { makeTestFolder } from "../../../test/start-service.ts";
import { imageSizes } from "./image-formats.ts";
import { imageBytesMax, ImageRefused } from "./inspect-image.ts";
import { prepareCard, prepareImage } from "./prepare-image.ts";

const look = { format: "banner", placements: ["feed", "sidebar"] } as const;

/** An image that does not compress to nothing. */
const picture = (width = 600, height = 400) => sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } }).blur(2);

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), content]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}

/** A PNG of any claimed size in a single colour: gigabytes in a few kilobytes. */
function bomb(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk("IHDR", header), chunk("IDAT", deflateSync(Buffer.alloc(1_000_000))), chunk("IEND", Buffer.alloc(0))]);
}

async function refusalOf(bytes: Uint8Array): Promise<ImageRefused> {
  try {
    await prepareImage(bytes, look);
  } catch (error) {
    assert(error instanceof ImageRefused, `not a refusal: ${String(error)}`);
    return error;
  }
  return assert.fail("it was taken");
}

describe("an image", () => {
  it("is accepted as PNG, JPEG and WebP, and stored in the sizes of its format under the hash of its bytes", async () => {
    for (const type of ["png", "jpeg", "webp"] as const) {
      const images = await prepareImage(await picture().toFormat(type).toBuffer(), look);
      assert.deepEqual(images.map(({ placement }) => placement), ["feed", "sidebar"]);
      for (const image of images) {
        const seen = await sharp(image.bytes).metadata();
        assert.deepEqual({ width: seen.width, height: seen.height }, imageSizes.banner[image.placement]);
        assert.equal(seen.format, "webp");
        assert.equal(image.hash, createHash("sha256").update(image.bytes).digest("hex"));
      }
    }
  });

  it("is encoded to the same bytes every time", async () => {
    const bytes = await picture(900, 300).jpeg().toBuffer();
    const [once, again] = [await prepareImage(bytes, look), await prepareImage(bytes, look)];
    assert.deepEqual(once.map(({ hash }) => hash), again.map(({ hash }) => hash));
  });

  it("loses its metadata, and is rotated by its EXIF orientation", async () => {
    const secret = "51.5007 N 0.1246 W";
    const bytes = await sharp({ create: { width: 300, height: 100, channels: 3, background: "#ff0000" } })
      .composite([{ input: { create: { width: 300, height: 50, channels: 3, background: "#0000ff" } }, top: 0, left: 0 }])
      .jpeg({ quality: 100 })
      .withExif({ IFD0: { ImageDescription: secret } })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    assert(bytes.includes(secret));
    const [image] = await prepareImage(bytes, { format: "interstitial", placements: ["sidebar"] });
    assert(!Buffer.from(image!.bytes).includes(secret));
    const seen = await sharp(image!.bytes).metadata();
    assert.equal(seen.exif, undefined);
    // Its upper half was blue: turned to the right, its right half is.
    const { data, info } = await sharp(image!.bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
    const middle = Math.floor(info.height / 2) * info.width * 3;
    const [left, right] = [data.subarray(middle + 150 * 3, middle + 150 * 3 + 3), data.subarray(middle + 450 * 3, middle + 450 * 3 + 3)];
    assert(left[0]! > 150 && left[2]! < 100, "red on the left");
    assert(right[2]! > 150 && right[0]! < 100, "blue on the right");
  });

  it("is shown whole where its aspect ratio differs much", async () => {
    const bytes = await sharp({ create: { width: 200, height: 200, channels: 3, background: "#00ff00" } }).png().toBuffer();
    const [image] = await prepareImage(bytes, { format: "banner", placements: ["feed"] });
    const { data, info } = await sharp(image!.bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
    const at = (x: number, y: number) => [...data.subarray((y * info.width + x) * 3, (y * info.width + x) * 3 + 3)];
    assert(at(364, 45)[1]! > 240, "the picture in the middle");
    assert(at(20, 45)[1]! < 235, "darker at its sides");
  });

  it("is refused before decoding when it claims too many pixels [threat: malicious-image]", async () => {
    for (const [width, height] of [[50_000, 50_000], [12_001, 10], [4_900, 4_900]] as const) {
      const bytes = bomb(width, height);
      assert(bytes.length < 4_096);
      const refused = await refusalOf(bytes);
      assert.equal(refused.code, "too_many_pixels");
      assert.match(refused.message, new RegExp(`${width} × ${height}`));
    }
  });

  it("is refused when it is of another type, whatever its name", async () => {
    const cases: [string, Buffer][] = [
      ["an SVG", Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
      ["an SVG", Buffer.from('\n <svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')],
      ["a GIF", await picture(10, 10).gif().toBuffer()],
      ["a TIFF", await picture(10, 10).tiff().toBuffer()],
      ["an AVIF", await picture(16, 16).avif({ effort: 0 }).toBuffer()],
      ["something else", Buffer.from("just some text")],
      ["something else", randomBytes(1_000)],
      ["a PDF", Buffer.from("%PDF-1.7 ...")],
      ["empty", Buffer.alloc(0)],
    ];
    for (const [name, bytes] of cases) {
      const refused = await refusalOf(bytes);
      assert.equal(refused.code, "not_an_image", name);
      assert(refused.message.includes(name), `${refused.message}: ${name}`);
    }
  });

  it("is refused when it is truncated or damaged", async () => {
    for (const type of ["png", "jpeg", "webp"] as const) {
      const bytes = await picture().toFormat(type).toBuffer();
      for (const share of [0.01, 0.5, 0.9]) {
        const refused = await refusalOf(bytes.subarray(0, Math.floor(bytes.length * share)));
        assert.equal(refused.code, "damaged", `${type} at ${share}`);
      }
    }
    const png = await picture().png().toBuffer();
    png.fill(0x55, Math.floor(png.length / 2), Math.floor(png.length / 2) + 2_000);
    assert.equal((await refusalOf(png)).code, "damaged");
  });

  it("is refused when it is animated", async () => {
    const frame = { create: { width: 60, height: 60, channels: 3, background: "#f00" } } as const;
    const frames = await Promise.all(["#f00", "#0f0"].map((background) => sharp({ create: { ...frame.create, background } }).png().toBuffer()));
    const bytes = await sharp(frames, { join: { animated: true } }).webp().toBuffer();
    assert.equal((await refusalOf(bytes)).code, "animated");
  });

  it("is refused one byte beyond 2 MiB", async () => {
    const padded = Buffer.concat([await picture().png().toBuffer(), Buffer.alloc(imageBytesMax)]).subarray(0, imageBytesMax + 1);
    assert.equal((await refusalOf(padded)).code, "too_large");
  });

  it("that is a polyglot with a script loses the script [threat: malicious-image]", async () => {
    const polyglot = Buffer.concat([await picture(64, 64).jpeg().toBuffer(), Buffer.from("<html><script>alert(1)</script></html>")]);
    for (const { bytes } of await prepareImage(polyglot, look)) assert(!Buffer.from(bytes).includes("script"));
  });
});

const copy = { advertiser: "Acme", headline: 'Größe "L" & <b>more</b>', description: "For everyone", ctaText: "Go" };

describe("a card for a creative without an image", () => {
  it("has the sizes of its format, and differs for different texts", async () => {
    const [feed] = await prepareCard(copy, { format: "native", placements: ["feed"] });
    const seen = await sharp(feed!.bytes).metadata();
    assert.deepEqual({ width: seen.width, height: seen.height }, imageSizes.native.feed);
    const [other] = await prepareCard({ ...copy, headline: "Another" }, { format: "native", placements: ["feed"] });
    assert.notEqual(other!.hash, feed!.hash);
  });

  it("is drawn identically on a machine without fonts", async () => {
    const folder = makeTestFolder();
    writeFileSync(join(folder, "fonts.conf"), '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd"><fontconfig></fontconfig>');
    const module = new URL("./prepare-image.ts", import.meta.url).href;
    const program =
      `const { prepareCard } = await import(${JSON.stringify(module)});` +
      `const [card] = await prepareCard(${JSON.stringify(copy)}, { format: "banner", placements: ["sidebar"] });` +
      `process.stdout.write(card.hash);`;
    const bare = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
      env: { PATH: process.env["PATH"], FONTCONFIG_FILE: join(folder, "fonts.conf"), FONTCONFIG_PATH: folder, HOME: folder, XDG_CACHE_HOME: folder },
      encoding: "utf8",
    });
    assert.equal(bare.status, 0, bare.stderr);
    const [here] = await prepareCard(copy, { format: "banner", placements: ["sidebar"] });
    assert.equal(bare.stdout, here!.hash);
  });

  it("shows Latin, Greek and Cyrillic text, and leaves out text with characters that its font lacks", async () => {
    const hashOf = async (headline: string) => (await prepareCard({ ...copy, headline }, { format: "banner", placements: ["sidebar"] }))[0]!.hash;
    const blank = await hashOf("");
    const shown = await Promise.all(["Crème brûlée à Łódź", "Γνωρίστε ποιους εμπιστεύεστε", "Кому можно доверять", "Кому можно верить"].map(hashOf));
    assert.equal(new Set([blank, ...shown]).size, 5);
    for (const headline of ["春季大促销", "Sale 👍", "مرحبا", "Кому 信"]) assert.equal(await hashOf(headline), blank, headline);
  });

  it("shows letters with combining marks like composed ones", async () => {
    const cards = await Promise.all(["NFC", "NFD"].map((form) => prepareCard({ ...copy, headline: "Größe Й Ά".normalize(form) }, look)));
    assert.deepEqual(cards[0]!.map(({ hash }) => hash), cards[1]!.map(({ hash }) => hash));
  });

  it("can be drawn for any text in any script", async () => {
    for (const headline of ["春季大促销", "x".repeat(90), "W".repeat(90), "a b ".repeat(22), "👍", "&<>\"'"]) {
      for (const format of ["banner", "interstitial"] as const) {
        const images = await prepareCard({ ...copy, headline }, { format, placements: ["feed"] });
        assert.equal(images.length, 1);
      }
    }
  });
});
