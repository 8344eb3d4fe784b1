import { readFileSync } from "node:fs";
import { dirname, relative } from "node:path";
import type { Plugin } from "vite";
import { renderMarkdown } from "./render-markdown.ts";

const placeholder = "<!-- model card -->";

/** Inserts the model card into pages that contain the placeholder, and resolves its images. */
export function includeModelCard(file: string): Plugin {
  return {
    name: "include-model-card",
    transformIndexHtml: {
      order: "pre",
      handler(html, { filename }) {
        if (!html.includes(placeholder)) return html;
        const folder = relative(dirname(filename), dirname(file));
        const card = renderMarkdown(readFileSync(file, "utf8")).replaceAll('<img src="', `<img src="${folder}/`);
        return html.replace(placeholder, () => card);
      },
    },
  };
}
