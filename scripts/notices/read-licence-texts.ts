import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const licenceFile = /^(?:licen[cs]e|copying|notice|unlicense|ofl)(?:[._-]|$)/i;
const programFile = /\.[cm]?[jt]sx?$/;
/** Vite's file goes on with the licences of what Vite itself contains. The pages contain a few functions of Vite's own. */
const bundledHeading = /^# Licenses of bundled dependencies$/m;
const readmeSection = /^#+ *licen[cs]e *$/im;

const tidy = (text: string): string => text.replaceAll(/\r\n?/g, "\n").replaceAll(/[ \t]+$/gm, "").replace(/^\uFEFF/, "").trim();

/** The licence texts that the package in this folder ships: its licence and notice files, or else those in its README. */
export function readLicenceTexts(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile()).map(({ name }) => name).toSorted();
  const texts = names
    .filter((name) => licenceFile.test(name) && !programFile.test(name))
    .map((name) => tidy(readFileSync(join(folder, name), "utf8").split(bundledHeading)[0] ?? ""))
    .filter((text) => text !== "");
  if (texts.length > 0) return texts;
  const readme = names.find((name) => /^readme(\.md|$)/i.test(name));
  const section = readme && tidy(readFileSync(join(folder, readme), "utf8")).split(readmeSection)[1];
  return section && /Permission is hereby granted/.test(section) ? [tidy(section)] : [];
}
