/** What a browser sends, as bytes: the collector's requests through a trusted proxy, which adds the visitor's address. */

type Page = { host: string; origin: string };

/** As many bytes as a current browser's. */
const browserHeaders = [
  "User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36",
  'sec-ch-ua: "Chromium";v="141", "Not?A_Brand";v="8"',
  "sec-ch-ua-mobile: ?0",
  'sec-ch-ua-platform: "Linux"',
  "Accept: */*",
  "Accept-Language: en-US,en;q=0.9",
  "Accept-Encoding: gzip, deflate, br, zstd",
  "Sec-Fetch-Site: cross-site",
  "Sec-Fetch-Mode: cors",
  "Sec-Fetch-Dest: empty",
  "Content-Type: text/plain;charset=UTF-8",
];

/** Lines that each end with a line break. */
export const pageHeaders = (origin: string, address: string): string =>
  [...browserHeaders, `Origin: ${origin}`, `X-Forwarded-For: ${address}`].map((line) => `${line}\r\n`).join("");

const write = ({ host, origin }: Page, address: string, path: string, body: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: ${host}\r\n${pageHeaders(origin, address)}Content-Length: ${body.length}\r\n\r\n${body}`;

export const writeStart = (page: Page, address: string, siteId: string): string => write(page, address, "/c/v1/start", JSON.stringify({ site: siteId }));

/** What a visitor who reads and scrolls does in so many milliseconds. */
export const beatBody = (token: string, passedMs: number): string =>
  JSON.stringify({ token, d: { view_ms: passedMs, active_ms: Math.floor(passedMs * 0.6), clicks: 1, keys: 0, pages: 0, scroll: 0.47 } });

export const writeBeat = (page: Page, address: string, token: string, passedMs: number): string => write(page, address, "/c/v1/beat", beatBody(token, passedMs));

/** An address in the network with this number, one of 65,536: 10.x.y.z has as many /24s. */
export const addressIn = (network: number, visitor = 1): string => `10.${(network >> 8) & 0xff}.${network & 0xff}.${1 + (visitor % 254)}`;

type Answer = { token: string; next_ms: number };

export const readAnswer = (text: string): Answer => JSON.parse(text.slice(text.indexOf("\r\n\r\n") + 4)) as Answer;
