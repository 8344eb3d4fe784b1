// A wheel (PEP 427) without Python: installations have none.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "smol-toml";
import { type Files, prefixNames, readFiles, zipFiles } from "./zip-files.ts";

type Project = {
  name: string;
  version: string;
  description: string;
  "requires-python": string;
  license: string | { text: string };
  authors?: { name: string; email?: string }[];
  keywords?: string[];
  classifiers?: string[];
  urls?: Record<string, string>;
  dependencies?: string[];
};

const hashOf = (bytes: Uint8Array): string => `sha256=${createHash("sha256").update(bytes).digest("base64url")}`;

/** Core metadata 2.1, with the README as the description. */
function printMetadata(project: Project, readme: string): string {
  if (project.dependencies?.length) throw new Error("the Python client has dependencies, which the wheel would have to name");
  const { license, authors = [], keywords = [], classifiers = [], urls = {} } = project;
  return [
    "Metadata-Version: 2.1",
    `Name: ${project.name}`,
    `Version: ${project.version}`,
    `Summary: ${project.description}`,
    ...authors.map(({ name, email }) => (email === undefined ? `Author: ${name}` : `Author-email: ${name} <${email}>`)),
    `License: ${typeof license === "string" ? license : license.text}`,
    ...(keywords.length > 0 ? [`Keywords: ${keywords.join(",")}`] : []),
    ...classifiers.map((each) => `Classifier: ${each}`),
    ...Object.entries(urls).map(([label, url]) => `Project-URL: ${label}, ${url}`),
    `Requires-Python: ${project["requires-python"]}`,
    "Description-Content-Type: text/markdown",
    "License-File: LICENSE",
    "",
    readme,
  ].join("\n");
}

export function packWheel(folder: string): { name: string; bytes: Uint8Array } {
  const { project } = parse(readFileSync(join(folder, "pyproject.toml"), "utf8")) as unknown as { project: Project };
  const distribution = `${project.name.replaceAll("-", "_")}-${project.version}`;
  const info = `${distribution}.dist-info/`;
  const text = (content: string) => new TextEncoder().encode(content);
  const files: Files = {
    ...readFiles(join(folder, "src"), ["**/*.{py,typed}"]),
    ...prefixNames(readFiles(folder, ["LICENSE"]), info),
    [`${info}METADATA`]: text(printMetadata(project, readFileSync(join(folder, "README.md"), "utf8"))),
    [`${info}WHEEL`]: text("Wheel-Version: 1.0\nGenerator: assay\nRoot-Is-Purelib: true\nTag: py3-none-any\n"),
  };
  const record = Object.entries(files).map(([name, bytes]) => `${name},${hashOf(bytes)},${bytes.length}\n`);
  const bytes = zipFiles({ ...files, [`${info}RECORD`]: text(`${record.join("")}${info}RECORD,,\n`) });
  return { name: `${distribution}-py3-none-any.whl`, bytes };
}
