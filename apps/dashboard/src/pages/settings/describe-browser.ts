/** The order matters: most browsers also name the ones that they want to be taken for. */
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

const find = (list: readonly (readonly [string, RegExp])[], text: string): string | undefined => list.find(([, pattern]) => pattern.test(text))?.[0];

/** "Firefox on Linux", as far as a browser says who it is. */
export function describeBrowser(userAgent: string): string {
  const browser = find(browsers, userAgent);
  const system = find(systems, userAgent);
  if (browser === undefined) return userAgent === "" ? "Unknown" : userAgent.slice(0, 40);
  return system === undefined ? browser : `${browser} on ${system}`;
}
