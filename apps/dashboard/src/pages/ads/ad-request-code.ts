import type { CodeLanguage } from "../../playground/request-code.ts";

type AdRequest = { format: string; placement: string; app_category?: string };
type AdRequestOptions = { address: string; request: AdRequest };

const bodyOf = ({ format, placement, app_category }: AdRequest) => ({
  format,
  placement,
  ...(app_category !== undefined && { user_context: { app_category } }),
});

const writers: Record<CodeLanguage, (options: AdRequestOptions) => string> = {
  curl: ({ address, request }) =>
    [
      `curl -si ${address}/api/ads/request \\`,
      `  -H "X-API-Key: $ASSAY_API_KEY" \\`,
      `  -H 'Content-Type: application/json' \\`,
      `  -d '${JSON.stringify(bodyOf(request))}'`,
    ].join("\n"),
  TypeScript: ({ address, request }) =>
    [
      `// Run this on your server. Send the ad to the page or app, never the key.`,
      `const answer = await fetch("${address}/api/ads/request", {`,
      `  method: "POST",`,
      `  headers: { "X-API-Key": process.env.ASSAY_API_KEY!, "Content-Type": "application/json" },`,
      `  body: JSON.stringify(${JSON.stringify(bodyOf(request))}),`,
      `});`,
      `// 204: no ad. The Assay-No-Fill header has the reason.`,
      `const ad = answer.status === 200 ? await answer.json() : undefined;`,
      `// When the ad is seen, fetch(ad.impression_tracking_url). Link it to ad.creative.click_url.`,
    ].join("\n"),
  Python: ({ address, request }) =>
    [
      `import json, os, urllib.request`,
      ``,
      `request = urllib.request.Request(`,
      `    "${address}/api/ads/request",`,
      `    data=json.dumps(${JSON.stringify(bodyOf(request))}).encode(),`,
      `    headers={"X-API-Key": os.environ["ASSAY_API_KEY"], "Content-Type": "application/json"},`,
      `)`,
      `with urllib.request.urlopen(request) as answer:`,
      `    # 204: no ad. The Assay-No-Fill header has the reason.`,
      `    ad = json.load(answer) if answer.status == 200 else None`,
    ].join("\n"),
};

export const adRequestCode = (language: CodeLanguage, options: AdRequestOptions): string => writers[language](options);
