import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ApiError } from "../../api/request.ts";
import { policyOf, snippetOf } from "./site-snippet.ts";
import { fieldOf, parseOrigins } from "./site-values.ts";

const refusal = (message: string, status = 400) => new ApiError({ status, code: "invalid_request", message });

describe("a site's form and snippet", () => {
  it("take one origin from each line, whatever the line ends and spaces", () => {
    assert.deepEqual(parseOrigins(" https://shop.example\r\n\n\thttps://www.shop.example:8443 \n"), ["https://shop.example", "https://www.shop.example:8443"]);
    assert.deepEqual(parseOrigins(" \n"), []);
  });

  it("show a refusal at the field that it is about, and any other above the form", () => {
    assert.equal(fieldOf(refusal("name must NOT have fewer than 1 characters")), "name");
    assert.equal(fieldOf(refusal("origins must NOT have fewer than 1 items")), "origins");
    assert.equal(fieldOf(refusal("origins.0 must NOT have more than 300 characters")), "origins");
    assert.equal(fieldOf(refusal("An origin must start with https://.")), "origins");
    assert.equal(fieldOf(refusal("An account can have at most 50 sites.")), undefined);
    assert.equal(fieldOf(refusal("The Origin header is missing.", 403)), undefined);
    assert.equal(fieldOf(null), undefined);
  });

  it("name the installation's script, the site, and what a content security policy has to allow", () => {
    const scriptUrl = "https://assay.example/c/v1/collector.js";
    assert.equal(snippetOf({ scriptUrl, siteId: "site_4fKq2ZpX8mNwR7bTcY1s" }), '<script src="https://assay.example/c/v1/collector.js" data-site="site_4fKq2ZpX8mNwR7bTcY1s" data-endpoint="/signals" defer></script>');
    assert.equal(policyOf(scriptUrl), "script-src https://assay.example; connect-src https://assay.example");
  });
});
