import type { Signals } from "@assay/scoring/signals.ts";

export const codeLanguages = ["curl", "TypeScript", "Python"] as const;
export type CodeLanguage = (typeof codeLanguages)[number];

type RequestOptions = { address: string; signals: Signals };

const keyVariable = "ASSAY_API_KEY";

const pythonOf = (json: string): string => json.replaceAll(/\btrue\b/g, "True").replaceAll(/\bfalse\b/g, "False");

const writers: Record<CodeLanguage, (options: RequestOptions) => string> = {
  curl: ({ address, signals }) =>
    [
      `curl -s ${address}/api/ml/predict \\`,
      `  -H "X-API-Key: $${keyVariable}" \\`,
      `  -H 'Content-Type: application/json' \\`,
      `  -d '${JSON.stringify({ session_data: signals })}'`,
    ].join("\n"),
  TypeScript: ({ address, signals }) =>
    [
      `// Run this on your server. Never put a key in a browser.`,
      `const answer = await fetch("${address}/api/ml/predict", {`,
      `  method: "POST",`,
      `  headers: {`,
      `    "X-API-Key": process.env.${keyVariable}!,`,
      `    "Content-Type": "application/json",`,
      `    "Idempotency-Key": crypto.randomUUID(),`,
      `  },`,
      `  body: JSON.stringify(${JSON.stringify({ session_data: signals }, null, 2).replaceAll("\n", "\n  ")}),`,
      `});`,
      `const { service_score, trust_level, session_id } = await answer.json();`,
    ].join("\n"),
  Python: ({ address, signals }) =>
    [
      `import json, os, urllib.request`,
      ``,
      `request = urllib.request.Request(`,
      `    "${address}/api/ml/predict",`,
      `    data=json.dumps(${pythonOf(JSON.stringify({ session_data: signals }, null, 4)).replaceAll("\n", "\n    ")}).encode(),`,
      `    headers={"X-API-Key": os.environ["${keyVariable}"], "Content-Type": "application/json"},`,
      `)`,
      `with urllib.request.urlopen(request) as answer:`,
      `    verdict = json.load(answer)`,
      `print(verdict["service_score"], verdict["trust_level"])`,
    ].join("\n"),
};

export const requestCode = (language: CodeLanguage, options: RequestOptions): string => writers[language](options);
