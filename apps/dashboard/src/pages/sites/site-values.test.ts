import { snippetOf } from "@assay/contract/dashboard/site-snippet.ts";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ApiError } from "../../api/request.ts";
import { policyOf } from "./page-policy.ts";
import { describeRefusal, parseOrigins } from "./site-values.ts";

const refusal = (message: string, status = 400) => new ApiError({ status, code: "invalid_request", message });

describe("a site's form and snippet", () => {
  it("take one origin from each line, whatever the line ends and spaces", () => {
    assert.deepEqual(parseOrigins(" https://shop.example\r\n\n\thttps://www.shop.example:8443 \n"), ["https://shop.example", "https://www.shop.example:8443"]);
    assert.deepEqual(parseOrigins(" \n"), []);
  });

  it("show a refusal at the field that it is about, with the origin that it means, and any other above the form", () => {
    const shown = (error: Error | null) => describeRefusal(error, { origins: ["https://a.example", "http://b.example"] });
    assert.deepEqual(shown(refusal("name must NOT have fewer than 1 characters")), { field: "name", message: "name must NOT have fewer than 1 characters" });
    assert.deepEqual(shown(refusal("origins must NOT have fewer than 1 items")), { field: "origins", message: "origins must NOT have fewer than 1 items" });
    assert.deepEqual(shown(refusal("origins.1 must start with https://")), { field: "origins", message: "http://b.example must start with https://" });
    assert.deepEqual(shown(refusal("An account can have at most 50 sites.", 403)), { field: undefined, message: "An account can have at most 50 sites." });
    assert.deepEqual(shown(new TypeError("origins. are wrong")), { field: undefined, message: "origins. are wrong" });
    assert.equal(shown(null), undefined);
  });

  it("name the installation's script, the site, and what a content security policy has to allow", () => {
    const scriptUrl = "https://assay.example/c/v1/collector.js";
    assert.equal(snippetOf({ scriptUrl, siteId: "site_4fKq2ZpX8mNwR7bTcY1s" }), '<script src="https://assay.example/c/v1/collector.js" data-site="site_4fKq2ZpX8mNwR7bTcY1s" data-endpoint="/signals" defer></script>');
    assert.equal(policyOf(scriptUrl), "script-src https://assay.example; connect-src https://assay.example");
  });
});
