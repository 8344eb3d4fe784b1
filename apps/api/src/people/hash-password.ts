import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";

const parameters = { N: 16_384, r: 16, p: 1, maxmem: 64 * 1024 * 1024 };
const keyBytes = 64;

function derive(password: string, salt: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize("NFKC"), salt, keyBytes, parameters, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });
}

/** `<salt>:<key>`, both in hex. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16).toString("hex");
  return `${salt}:${(await derive(password, salt)).toString("hex")}`;
}

/** The same work to check as any other, and no password's: a random key that nothing was derived to. */
export const nobodysHash = `${randomBytes(16).toString("hex")}:${randomBytes(keyBytes).toString("hex")}`;

export async function isPassword(password: string, stored: string): Promise<boolean> {
  const [salt = "", key = ""] = stored.split(":");
  const expected = Buffer.from(key, "hex");
  const actual = await derive(password, salt);
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}
