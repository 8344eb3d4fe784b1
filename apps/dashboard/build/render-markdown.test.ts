import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { renderMarkdown } from "./render-markdown.ts";

describe("renderMarkdown", () => {
  it("renders headings, tables and lists", () => {
    const html = renderMarkdown("# Title\n\n| A | B |\n| --- | --- |\n| 1 | 2 |\n\n- one\n  goes on\n- two");
    assert.match(html, /<h1 id="title">Title<\/h1>/);
    assert.match(html, /<th scope="col">A<\/th><th scope="col">B<\/th>/);
    assert.match(html, /<td>1<\/td><td>2<\/td>/);
    assert.match(html, /<ul><li>one goes on<\/li><li>two<\/li><\/ul>/);
  });

  it("escapes HTML", () => {
    const html = renderMarkdown("a < b & **<script>** and `<i>*x*</i>`");
    assert.equal(html, "<p>a &lt; b &amp; <strong>&lt;script&gt;</strong> and <code>&lt;i&gt;*x*&lt;/i&gt;</code></p>");
  });

  it("keeps fences unchanged, including empty lines", () => {
    assert.equal(renderMarkdown("```sh\none\n\n**two**\n```"), "<pre><code>one\n\n**two**</code></pre>");
  });
});
