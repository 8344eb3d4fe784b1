import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import { builtPackage } from "../../../clients/conformance/built-packages.ts";
import { makeTestFolder } from "../../../apps/api/test/start-service.ts";
import { findPackageFaults } from "../../sdk/src/testing/find-package-faults.ts";
import { runOrFail } from "../../sdk/src/testing/run-program.ts";

const root = join(import.meta.dirname, "..", "..", "..");

const consumer = `
import { createElement, type ReactElement } from "react";
import { AssayProvider, AssayView, type Collector, type CollectorOptions, type ScrollProps, type SessionData, type Storage, useAssay, useScreen, useScroll } from "@assay/react-native";
const kept = new Map<string, string>();
const storage: Storage = { getItem: async (key) => kept.get(key) ?? null, setItem: async (key, value) => void kept.set(key, value), removeItem: async (key) => kept.delete(key) };
const options: CollectorOptions = { endpoint: "https://shop.example/signals", extra: { visit: "v1", nth: 1 }, headers: () => ({ authorization: "Bearer x" }), storage, site: "site_x", url: "https://assay.example/c/v1/" };
export function Home(): ReactElement {
  const assay: Collector = useAssay();
  useScreen("Home");
  const props: ScrollProps = useScroll();
  props.onContentSizeChange(1, 2);
  const signals: SessionData = assay.read();
  const depth: number | undefined = signals.scroll_depth;
  const token: Promise<string | undefined> = assay.token();
  void [depth, token];
  // @ts-expect-error: positions have sizes
  assay.scroll({ offset: 1 });
  return createElement(AssayView, { style: { flex: 1 }, testID: "home" });
}
export const app = createElement(AssayProvider, options, createElement(Home));
// @ts-expect-error: personal data has structure, what is sent along has none
createElement(AssayProvider, { extra: { visitor: { name: "Jo" } } });
`;

/** Stands in for React Native, which is on the machine of whoever uses the package. */
const standIn = `
export const AppState = { currentState: "active", addEventListener: () => ({ remove() {} }) };
export const Dimensions = { get: () => ({ width: 400, height: 800 }) };
export const View = "div";
`;

const program = `
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { AssayProvider, useAssay } from "@assay/react-native";
const Home = () => { const assay = useAssay(); assay.screen("Home"); assay.tap(); return JSON.stringify(Object.entries(assay.read())); };
console.log(renderToStaticMarkup(createElement(AssayProvider, null, createElement(Home))).replaceAll("&quot;", '"'));
let refused; try { renderToStaticMarkup(createElement(Home)); } catch (error) { refused = error.message; }
console.log(refused);
`;

describe("the packed package in an empty project", () => {
  const project = makeTestFolder();
  const installed = join(project, "node_modules", "@assay", "react-native");

  before(async () => {
    writeFileSync(join(project, "package.json"), '{"name":"empty","private":true,"type":"module"}');
    // What npm does, but for the peers: React comes from here, and React Native is nowhere.
    mkdirSync(installed, { recursive: true });
    await runOrFail("tar", ["-xzf", builtPackage("assay-react-native-0.1.0.tgz"), "--strip-components=1", "-C", installed], { cwd: project });
    for (const name of ["react", "react-dom", "scheduler"]) symlinkSync(join(root, "node_modules", name), join(project, "node_modules", name));
    mkdirSync(join(project, "node_modules", "react-native"));
    writeFileSync(join(project, "node_modules", "react-native", "package.json"), '{"name":"react-native","version":"0.0.0","type":"module","exports":"./index.js"}');
    writeFileSync(join(project, "node_modules", "react-native", "index.js"), standIn);
  });

  it("is ready to be published, with React and React Native as its only peers", () => {
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
    const files = ["CHANGELOG.md", "LICENSE", "README.md", "dist/assay-provider.d.ts", "dist/assay-provider.js", "package.json"];
    assert.deepEqual(findPackageFaults(installed, { version, license: "Apache-2.0", files }), ["it has dependencies"]);
    const description = JSON.parse(readFileSync(join(installed, "package.json"), "utf8")) as { dependencies?: object; peerDependencies: object };
    assert.deepEqual([description.dependencies, Object.keys(description.peerDependencies)], [undefined, ["react", "react-native"]]);
    const licences = [installed, join(root, "packages", "sdk")].map((folder) => createHash("sha256").update(readFileSync(join(folder, "LICENSE"))).digest("hex"));
    assert.equal(licences[0], licences[1]);
    assert.match(readFileSync(join(installed, "CHANGELOG.md"), "utf8"), new RegExp(`^## ${version}$`, "m"));
  });

  it("contains everything but its peers, and its types need no React Native", () => {
    const code = readFileSync(join(installed, "dist/assay-provider.js"), "utf8");
    const imported = [...code.matchAll(/\bfrom "([^"]+)"/g)].map(([, name]) => name);
    assert.deepEqual(imported, ["react", "react-native"]);
    assert.doesNotMatch(code, /\bnew URL\(|structuredClone|\brequire\(/, "nothing that Hermes lacks");
    assert.doesNotMatch(readFileSync(join(installed, "dist/assay-provider.d.ts"), "utf8"), /react-native|@assay/);
    assert.deepEqual(readdirSync(join(installed, "dist")).toSorted(), ["assay-provider.d.ts", "assay-provider.js"]);
  });

  it("renders, and refuses a component without its provider", async () => {
    writeFileSync(join(project, "use.js"), program);
    const [rendered, refused] = (await runOrFail(process.execPath, ["use.js"], { cwd: project })).trim().split("\n");
    assert.ok(rendered!.includes('["interaction_count",1],["page_views",1]'), rendered);
    assert.match(refused!, /no <AssayProvider>/);
  });

  it("has types that a strict consumer can use", async () => {
    writeFileSync(join(project, "consumer.ts"), consumer);
    mkdirSync(join(project, "node_modules", "@types"), { recursive: true });
    for (const name of ["@types/react", "csstype"]) symlinkSync(join(root, "node_modules", name), join(project, "node_modules", name));
    const compilerOptions = { target: "es2022", lib: ["es2022"], types: [], module: "esnext", moduleResolution: "bundler", noEmit: true, strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck: true };
    writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["consumer.ts"] }));
    await runOrFail(process.execPath, [join(root, "node_modules", "typescript", "bin", "tsc"), "-p", "."], { cwd: project });
  });
});
