import type { CodeLanguage } from "../../playground/request-code.ts";

export type AdWish = { format: string; placement: string; app_category?: string };

const bodyOf = ({ format, placement, app_category }: AdWish) => ({
  format,
  placement,
  ...(app_category !== undefined && { user_context: { app_category } }),
});

const writers: Record<CodeLanguage, (about: { address: string; wish: AdWish }) => string> = {
  curl: ({ address, wish }) =>
    [
      `curl -si ${address}/api/ads/request \\`,
      `  -H "X-API-Key: $ASSAY_API_KEY" \\`,
      `  -H 'Content-Type: application/json' \\`,
      `  -d '${JSON.stringify(bodyOf(wish))}'`,
    ].join("\n"),
  TypeScript: ({ address, wish }) =>
    [
      `// Run this on your server. Send the ad to the page or app, never the key.`,
      `const answer = await fetch("${address}/api/ads/request", {`,
      `  method: "POST",`,
      `  headers: { "X-API-Key": process.env.ASSAY_API_KEY!, "Content-Type": "application/json" },`,
      `  body: JSON.stringify(${JSON.stringify(bodyOf(wish))}),`,
      `});`,
      `// 204: no ad. The Assay-No-Fill header has the reason.`,
      `const ad = answer.status === 200 ? await answer.json() : undefined;`,
      `// When the ad is seen, fetch(ad.impression_tracking_url). Link it to ad.creative.click_url.`,
    ].join("\n"),
  Python: ({ address, wish }) =>
    [
      `import json, os, urllib.request`,
      ``,
      `request = urllib.request.Request(`,
      `    "${address}/api/ads/request",`,
      `    data=json.dumps(${JSON.stringify(bodyOf(wish))}).encode(),`,
      `    headers={"X-API-Key": os.environ["ASSAY_API_KEY"], "Content-Type": "application/json"},`,
      `)`,
      `with urllib.request.urlopen(request) as answer:`,
      `    # 204: no ad. The Assay-No-Fill header has the reason.`,
      `    ad = json.load(answer) if answer.status == 200 else None`,
    ].join("\n"),
};

/** The ad request of these choices, ready to paste. */
export const adRequestCode = (language: CodeLanguage, about: { address: string; wish: AdWish }): string => writers[language](about);
