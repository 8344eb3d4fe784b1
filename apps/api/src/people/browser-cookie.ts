/**
 * A cookie that marks the browser that signed up: the mailed link signs in only that browser. It is set whether or not
 * the address was free, and proves nothing by itself.
 */
import { linkLifeMs } from "./mailed-link.ts";

/** With https, browsers reject a __Host- cookie that is set by a sister domain, for a path, or without https. */
export const cookiePrefixOf = (publicUrl: string): string => (publicUrl.startsWith("https:") ? "__Host-assay" : "assay");

const nameOf = (publicUrl: string): string => `${cookiePrefixOf(publicUrl)}.sign_up`;

function attributesOf(publicUrl: string, maxAgeSeconds: number): string {
  const secure = publicUrl.startsWith("https:") ? "; Secure" : "";
  return `Max-Age=${maxAgeSeconds}; Path=/; HttpOnly; SameSite=Lax${secure}`;
}

export const browserCookie = (publicUrl: string, token: string): string =>
  `${nameOf(publicUrl)}=${token}; ${attributesOf(publicUrl, linkLifeMs.verify / 1_000)}`;

export const expiredBrowserCookie = (publicUrl: string): string => `${nameOf(publicUrl)}=; ${attributesOf(publicUrl, 0)}`;

/** Tokens are base64url, so nothing in the header needs decoding. */
export function readBrowserCookie(publicUrl: string, header: string | undefined): string | undefined {
  const name = nameOf(publicUrl);
  for (const pair of (header ?? "").split(";")) {
    const [key = "", value = ""] = pair.trim().split("=");
    if (key === name && value !== "") return value;
  }
  return undefined;
}
