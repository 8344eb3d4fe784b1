/** The cookie that opens the local mailbox: it holds the token from the link that is printed at the start. */
import { isToken } from "../http/is-token.ts";

const name = "assay.mailbox";
const ageSeconds = 30 * 24 * 60 * 60;

/** The mailbox is served on loopback only, over http: the cookie cannot be `Secure`. */
export const mailboxCookie = (path: string, token: string): string => `${name}=${token}; Max-Age=${ageSeconds}; Path=${path}; HttpOnly; SameSite=Strict`;

/** Whether any cookie of this name has the token: a browser may send one of another installation on this machine too. */
export function hasMailboxCookie(header: string | undefined, token: string): boolean {
  return (header ?? "").split(";").some((pair) => {
    const [key = "", value = ""] = pair.trim().split("=");
    return key === name && isToken(value, token);
  });
}
