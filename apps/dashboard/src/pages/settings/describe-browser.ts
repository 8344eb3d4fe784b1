/** The order matters: most user agents also name other browsers. */
const browsers = [
  ["Edge", /\bEdg(?:e|A|iOS)?\//],
  ["Opera", /\bOPR\//],
  ["Firefox", /\b(?:Firefox|FxiOS)\//],
  ["Chrome", /\b(?:Chrome|CriOS|HeadlessChrome)\//],
  ["Safari", /\bSafari\//],
] as const;

const systems = [
  ["Android", /\bAndroid\b/],
  ["iOS", /\b(?:iPhone|iPad)\b/],
  ["Windows", /\bWindows\b/],
  ["macOS", /\bMac OS X\b/],
  ["Linux", /\bLinux\b/],
] as const;

const findName = (list: readonly (readonly [string, RegExp])[], text: string): string | undefined => list.find(([, pattern]) => pattern.test(text))?.[0];

/** For example "Firefox on Linux". */
export function describeBrowser(userAgent: string): string {
  const browser = findName(browsers, userAgent);
  const system = findName(systems, userAgent);
  if (browser === undefined) return userAgent === "" ? "Unknown" : userAgent.slice(0, 40);
  return system === undefined ? browser : `${browser} on ${system}`;
}
