import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { renderMarkdown } from "./render-markdown.ts";

describe("renderMarkdown", () => {
  it("renders headings, tables and lists", () => {
    const html = renderMarkdown("# Title\n\n| A | B |\n| --- | --- |\n| 1 | 2 |\n\n- one\n  goes on\n- two");
    assert.match(html, /<h1 id="title">Title<\/h1>/);
    assert.match(html, /<th scope="col">A<\/th><th scope="col">B<\/th>/);
    assert.match(html, /<td>1<\/td><td>2<\/td>/);
    assert.match(html, /<ul>\s*<li>one\s+goes on<\/li>\s*<li>two<\/li>\s*<\/ul>/);
  });

  it("names each table's box, which keyboards can scroll", () => {
    assert.match(renderMarkdown("| A | B |\n| --- | --- |\n| 1 | 2 |"), /^<div class="wide" tabindex="0" role="region" aria-label="A, B"><table>/);
  });

  it("leaves comments out and keeps addresses on the web, in the project and on the page", () => {
    const html = renderMarkdown("<!-- note\n\nmore -->\n[a](https://example.org/x?y=1&z) [b](../docs/b.md#c) [d](#d) ![e](model/e.svg)");
    assert.equal(
      html,
      '<p><a href="https://example.org/x?y=1&amp;z">a</a> <a href="../docs/b.md#c">b</a> <a href="#d">d</a> <img src="model/e.svg" alt="e" loading="lazy" /></p>',
    );
  });

  it("refuses addresses that run code or leave the site unseen", () => {
    for (const address of ["javascript:alert(1)", "data:text/html,x", "//example.org", "JaVaScRiPt&colon;x", "vbscript:x"]) {
      for (const mark of ["", "!"]) assert.throws(() => renderMarkdown(`${mark}[x](${address})`), /refers to/, address);
    }
  });

  it("escapes HTML in text, in blocks and in attributes", () => {
    assert.equal(renderMarkdown("<div onclick=x>\n\n<b>t</b>"), "&lt;div onclick=x&gt;<p>&lt;b&gt;t&lt;/b&gt;</p>");
    assert.match(renderMarkdown('![a"><script>](b.svg)'), /alt="a&quot;&gt;&lt;script&gt;"/);
    assert.doesNotMatch(renderMarkdown('| "><script> |\n| --- |\n| <i> |'), /<script|<i>/);
    const html = renderMarkdown("a < b & **<script>** and `<i>*x*</i>`");
    assert.equal(html, "<p>a &lt; b &amp; <strong>&lt;script&gt;</strong> and <code>&lt;i&gt;*x*&lt;/i&gt;</code></p>");
  });

  it("emphasises text that contains code", () => {
    assert.equal(renderMarkdown("**at `high`.** Same"), "<p><strong>at <code>high</code>.</strong> Same</p>");
  });

  it("keeps fences unchanged, including empty lines", () => {
    assert.equal(renderMarkdown("```sh\none\n\n**two**\n```"), "<pre><code>one\n\n**two**</code></pre>");
  });
});
