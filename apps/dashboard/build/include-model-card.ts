import { readFileSync } from "node:fs";
import { dirname, relative } from "node:path";
import type { Plugin } from "vite";
import { renderMarkdown } from "./render-markdown.ts";

const mark = "<!-- model card -->";

/** Puts the model card into the page that asks for it, its pictures with it. */
export function includeModelCard(file: string): Plugin {
  return {
    name: "include-model-card",
    transformIndexHtml: {
      order: "pre",
      handler(html, { filename }) {
        if (!html.includes(mark)) return html;
        const folder = relative(dirname(filename), dirname(file));
        const card = renderMarkdown(readFileSync(file, "utf8")).replaceAll('<img src="', `<img src="${folder}/`);
        return html.replace(mark, () => card);
      },
    },
  };
}
