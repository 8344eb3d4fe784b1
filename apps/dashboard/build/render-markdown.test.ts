import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { renderMarkdown } from "./render-markdown.ts";

describe("documents as pages", () => {
  it("keep their headings, tables and lists", () => {
    const html = renderMarkdown("# Title\n\n| A | B |\n| --- | --- |\n| 1 | 2 |\n\n- one\n  goes on\n- two");
    assert.match(html, /<h1 id="title">Title<\/h1>/);
    assert.match(html, /<th scope="col">A<\/th><th scope="col">B<\/th>/);
    assert.match(html, /<td>1<\/td><td>2<\/td>/);
    assert.match(html, /<ul><li>one goes on<\/li><li>two<\/li><\/ul>/);
  });

  it("never let text become markup", () => {
    const html = renderMarkdown("a < b & **<script>** and `<i>*x*</i>`");
    assert.equal(html, "<p>a &lt; b &amp; <strong>&lt;script&gt;</strong> and <code>&lt;i&gt;*x*&lt;/i&gt;</code></p>");
  });

  it("leave a fence as it was written, empty lines included", () => {
    assert.equal(renderMarkdown("```sh\none\n\n**two**\n```"), "<pre><code>one\n\n**two**</code></pre>");
  });
});
