import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";
import { renderReference } from "./reference/render-page.ts";
import type { OpenApi } from "./reference/openapi.ts";

const placeholder = "<!-- reference -->";

/** The reference as HTML, from the documents in `docs` and the guide beside the page. */
export function buildReference(docs: string): { html: string; version: string } {
  const document = JSON.parse(readFileSync(join(docs, "openapi.json"), "utf8")) as OpenApi;
  const errors = readFileSync(join(docs, "errors.md"), "utf8");
  const guide = readFileSync(new URL("../docs/guide.html", import.meta.url), "utf8");
  return { html: renderReference({ document, errors, guide }), version: document.info.version };
}

/** The page is the same for everybody, so that it is compressed once. It has no styles that would need a nonce. */
const removeNonce = (html: string): string => html.replaceAll(/\s*<meta property="csp-nonce"[^>]*>| nonce="\{\{nonce\}\}"/g, "");

/** Inserts the API reference into the page with the placeholder. */
export function includeReference(docs: string): Plugin {
  return {
    name: "include-reference",
    transformIndexHtml: {
      order: "pre",
      handler(html) {
        if (!html.includes(placeholder)) return html;
        const { html: reference, version } = buildReference(docs);
        return html.replace(placeholder, () => reference).replaceAll("{{version}}", version);
      },
    },
    generateBundle: {
      order: "post",
      handler(_options, bundle) {
        const page = bundle["docs/index.html"];
        if (page?.type === "asset") page.source = removeNonce(String(page.source));
      },
    },
  };
}
