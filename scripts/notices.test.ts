import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import type { Lock } from "./check-lock.ts";
import { collectNotices, findNoticeFaults } from "./notices/collect-notices.ts";
import { exceptions } from "./notices/exceptions.ts";
import { formatNotices, type Notice } from "./notices/format-notices.ts";
import { packageOfModule } from "./notices/list-bundled-packages.ts";
import { listImagePackages } from "./notices/list-image-packages.ts";
import { readLicenceTexts } from "./notices/read-licence-texts.ts";

const mit = { version: "1.0.0", license: "MIT" };
const linux = (cpu: string, libc = "glibc") => ({ ...mit, os: ["linux"], cpu: [cpu], libc: [libc] });
const lock: Lock = {
  packages: {
    "": {},
    "apps/api": { dependencies: { a: "1.0.0", "@own/b": "1.0.0" } },
    "packages/b": { dependencies: { c: "1.0.0" } },
    "node_modules/@own/b": { link: true, resolved: "packages/b" },
    "node_modules/a": { ...mit, dependencies: { c: "2.0.0" }, peerDependencies: { peer: "*", absent: "*" }, peerDependenciesMeta: { absent: { optional: true } } },
    "node_modules/a/node_modules/c": { ...mit, version: "2.0.0", optionalDependencies: { "n-linux-x64": "1.0.0", "n-linux-arm64": "1.0.0", "n-linuxmusl-x64": "1.0.0", "n-darwin-arm64": "1.0.0", never: "1.0.0" } },
    "node_modules/c": mit,
    "node_modules/peer": mit,
    "node_modules/dev-only": mit,
    "node_modules/n-linux-x64": linux("x64"),
    "node_modules/n-linux-arm64": linux("arm64"),
    "node_modules/n-linuxmusl-x64": linux("x64", "musl"),
    "node_modules/n-darwin-arm64": { ...mit, os: ["darwin"], cpu: ["arm64"] },
  },
};
const inImage = ["node_modules/a", "node_modules/a/node_modules/c", "node_modules/c", "node_modules/n-linux-arm64", "node_modules/n-linux-x64", "node_modules/peer"];

describe("third-party notices", () => {
  const root = mkdtempSync(join(tmpdir(), "assay-notices-test-"));
  after(() => rmSync(root, { recursive: true, force: true }));
  const install = (path: string, files: Record<string, string>): string => {
    mkdirSync(join(root, path), { recursive: true });
    for (const [name, text] of Object.entries(files)) writeFileSync(join(root, path, name), text);
    return join(root, path);
  };

  it("list the image's packages on both processors, without development, other platforms and absent optional ones", () => {
    assert.deepEqual(listImagePackages(lock, "apps/api").toSorted(), inImage);
    const broken: Lock = { packages: { "apps/api": { dependencies: { gone: "1.0.0" } } } };
    assert.throws(() => listImagePackages(broken, "apps/api"), /no gone/);
  });

  it("know the package of every bundled module", () => {
    const packageOf = (id: string) => packageOfModule(id, { root: "/r", lock });
    assert.equal(packageOf("/r/apps/dashboard/src/main.tsx"), undefined);
    assert.equal(packageOf("/r/node_modules/a/node_modules/c/esm/x.js?used"), "node_modules/a/node_modules/c");
    assert.equal(packageOf("\0a/runtime.js"), "node_modules/a");
    assert.throws(() => packageOf("/r/node_modules/unlisted/x.js"), /the lockfile does not list/);
    assert.throws(() => packageOf("/elsewhere/x.js"), /unknown/);
  });

  it("are the same on every machine: a package for another processor has the text of its installed sibling", () => {
    for (const name of ["a", "a/node_modules/c", "c", "peer"]) install(`node_modules/${name}`, { LICENSE: `text of ${name}` });
    const collect = () => formatNotices(collectNotices({ root, lock, places: { image: inImage } }), "");
    const sibling = install("node_modules/n-linux-x64", { LICENSE: "native" });
    const onX64 = collect();
    assert.match(onX64, /n-linux-arm64 1\.0\.0\nn-linux-x64 1\.0\.0\n=+\n\nnative\n/);
    rmSync(sibling, { recursive: true });
    install("node_modules/n-darwin-arm64", { LICENSE: "native" });
    assert.equal(collect(), onX64);
  });

  it("have all licence and notice files, or else the text in the README", () => {
    const both = install("both", { "LICENSE.md": "terms\r\n", NOTICE: "names", "license.js": "code", "README.md": "## License\nMIT" });
    assert.deepEqual(readLicenceTexts(both), ["terms", "names"]);
    assert.deepEqual(readLicenceTexts(install("readme", { "README.md": "# x\n\n## License\n\nPermission is hereby granted, …" })), ["Permission is hereby granted, …"]);
    assert.deepEqual(readLicenceTexts(install("none", { "README.md": "## License\nMIT" })), []);
  });

  it("print a shared text once, and name every place of a package", () => {
    const notice: Notice = { name: "a", version: "1.0.0", licence: "MIT", places: ["pages", "image"], texts: ["shared"] };
    const text = formatNotices([{ ...notice, name: "b" }, notice], "Notices");
    assert.equal(text.split("shared").length, 2);
    assert.match(text, / {2}a 1\.0\.0 {2}\(MIT; image, pages\)\n {2}b 1\.0\.0/);
  });

  it("are refused without a text, with a licence that is not allowed, or with an exception that nothing needs", () => {
    const listed = Object.keys(exceptions).map((title): Notice => {
      const at = title.lastIndexOf("@");
      return { name: title.slice(0, at), version: title.slice(at + 1), licence: "MIT", places: [], texts: ["x"] };
    });
    const notice: Notice = { name: "a", version: "1.0.0", licence: "MIT", places: ["image"], texts: ["x"] };
    assert.deepEqual(findNoticeFaults([...listed, notice]), []);
    assert.match(findNoticeFaults([...listed, { ...notice, texts: [] }]).join(), /^a 1\.0\.0 ships no licence text[^,]*$/);
    assert.match(findNoticeFaults([...listed, { ...notice, licence: "(MIT OR GPL-3.0-only)" }]).join(), /^a 1\.0\.0 has the licence GPL-3\.0-only/);
    assert.match(findNoticeFaults([notice, ...listed.slice(1)]).join(), /which is not shipped/);
  });
});
