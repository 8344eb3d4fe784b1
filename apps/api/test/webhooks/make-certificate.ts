// Certificates for tests, made when they are needed: none expires in the repository, and no private key is kept in it.
import { generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { isIP } from "node:net";

export type Certificate = { cert: string; key: string };

const dayMs = 86_400_000;

/** One value in DER: tag, length, content. */
function der(tag: number, ...content: Uint8Array[]): Buffer {
  const bytes = Buffer.concat(content);
  const length = bytes.length < 128 ? [bytes.length] : [0x82, bytes.length >> 8, bytes.length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), bytes]);
}

const sequence = (...content: Uint8Array[]) => der(0x30, ...content);
const oid = (hex: string) => der(0x06, Buffer.from(hex, "hex"));
const ecdsaWithSha256 = sequence(oid("2a8648ce3d040302"));
const nameOf = (name: string) => sequence(der(0x31, sequence(oid("550403"), der(0x0c, Buffer.from(name)))));
const timeOf = (ms: number) => der(0x18, Buffer.from(`${new Date(ms).toISOString().replaceAll(/[-:T]/g, "").slice(0, 14)}Z`));
const subjectOf = (name: string) => (isIP(name) === 4 ? der(0x87, Buffer.from(name.split(".").map(Number))) : der(0x82, Buffer.from(name)));

/** A certificate for these names and IPv4 addresses, signed by its own key. Whoever trusts it trusts only it. */
export function makeCertificate(names: readonly string[], { expiresMs = Date.now() + dayMs }: { expiresMs?: number } = {}): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const subject = nameOf(names[0]!);
  const alternativeNames = sequence(oid("551d11"), der(0x04, sequence(...names.map(subjectOf))));
  const toSign = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1, ...randomBytes(8)])),
    ecdsaWithSha256,
    subject,
    sequence(timeOf(expiresMs - 30 * dayMs), timeOf(expiresMs)),
    subject,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(alternativeNames)),
  );
  const signature = der(0x03, Buffer.from([0]), sign("sha256", toSign, privateKey));
  const cert = sequence(toSign, ecdsaWithSha256, signature).toString("base64").replaceAll(/.{64}/g, "$&\n");
  return { cert: `-----BEGIN CERTIFICATE-----\n${cert}\n-----END CERTIFICATE-----\n`, key: privateKey.export({ type: "pkcs8", format: "pem" }) as string };
}
