// Static checks of the documents: links, commands, settings, lists and formats.
import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, it } from "node:test";
import { attestationIssues, attestedFromMs, clockToleranceMs, lateAfterMs, lateCreditMsMax, networkQuota, nextMsRanges, sessionLifeMs, siteQuota, tokenLengthMax, tokenLifeMs } from "@assay/contract/attestation.ts";
import { choosableTypes, eventKinds, type EventType } from "@assay/contract/webhooks.ts";
import ts from "typescript";
import { retryWaitsMs } from "../apps/api/src/webhooks/deliveries/schedule-retry.ts";
import { buildProgram, commandsUnder, pathOf } from "../apps/api/src/cli/program.ts";
import { findMismatch, hasLine } from "./testing/match-output.ts";
import { type Block, listDocuments, readAnchors, readBlocks, readDocument, readInlineCode, readLinks, readTableRows, root } from "./testing/read-document.ts";

const namesIn = (cells: readonly string[]): string[] => cells.flatMap((cell) => readInlineCode(cell));
const pictureBytesMax = 200 * 1024;
const documents = listDocuments();
const { version, scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string; scripts: Record<string, string> };

/** Describes what is wrong with a link. External links are not checked: a test must not depend on other sites. */
function findLinkFault(document: string, link: string): string | undefined {
  if (/^(https?:|mailto:)/.test(link)) return undefined;
  const [path = "", anchor] = link.split("#");
  const target = path === "" ? document : normalize(join(dirname(document), path));
  if (target.startsWith("..") || !existsSync(join(root, target))) return `${document} → ${link}: no such file`;
  if (anchor === undefined) return undefined;
  return target.endsWith(".md") && readAnchors(readDocument(target)).has(anchor) ? undefined : `${document} → ${link}: no such heading`;
}

describe("links in documents", () => {
  it("lead to existing files and headings", () => {
    const links = documents.flatMap((document) => readLinks(readDocument(document)).map((link) => ({ document, link })));
    assert.ok(links.length > 50, `found only ${links.length} links`);
    assert.deepEqual(links.flatMap(({ document, link }) => findLinkFault(document, link) ?? []), []);
    assert.match(findLinkFault("docs/README.md", "none.md") ?? "", /no such file/);
    assert.match(findLinkFault("docs/README.md", "money.md#none") ?? "", /no such heading/);
    assert.equal(findLinkFault("docs/README.md", "money.md#verify-it-yourself"), undefined);
  });

  it("reach every guide from the README or the index", () => {
    const targets = new Set(["README.md", "docs/README.md"].flatMap((document) => readLinks(readDocument(document)).map((link) => normalize(join(dirname(document), link.split("#")[0]!)))));
    const guides = documents.filter((document) => dirname(document) === "docs" || /^(packages\/\w+|examples|deploy)\/README\.md$/.test(document));
    assert.deepEqual(guides.filter((guide) => !targets.has(guide) && guide !== "docs/README.md"), []);
    assert.ok(readLinks(readDocument("README.md")).includes("docs/README.md"));
  });

  it("in code name documents that exist", () => {
    const sources = globSync("{apps,packages,scripts,training,bench,examples,deploy}/**/*.{ts,tsx,mjs,js,html,conf,yml,sh}", { cwd: root, exclude: (path) => /node_modules|\/dist\//.test(path) });
    const mentions = sources.flatMap((file) => [...readFileSync(join(root, file), "utf8").matchAll(/(?<![\w/.-])docs\/[\w./-]+\.md/g)].map(([mentioned]) => ({ file, mentioned })));
    assert.ok(mentions.length > 0);
    assert.deepEqual(mentions.filter(({ mentioned }) => !existsSync(join(root, mentioned))), []);
  });

  it(`to pictures lead to files of at most ${pictureBytesMax / 1024} KiB`, () => {
    const pictures = documents.flatMap((document) => readLinks(readDocument(document)).filter((link) => link.endsWith(".png")).map((link) => join(root, dirname(document), link)));
    assert.ok(pictures.length > 0);
    for (const picture of pictures) assert.ok(statSync(picture).size <= pictureBytesMax, picture);
  });
});

const program = buildProgram();
const commands = new Map(commandsUnder(program).map((command) => [pathOf(command), command]));

/** Describes what is wrong with one of our command lines in a document. `COMMAND` stands for any command. */
function findCommandFault(line: string): string | undefined {
  const npmScript = /^npm run (?:-s )?([\w:-]+)/.exec(line)?.[1];
  if (npmScript !== undefined && !(npmScript in scripts)) return `there is no script ${npmScript}`;
  const words = /^(?:npm run -s assay --|assay) +(.+)$/.exec(line)?.[1]?.split(/\s+/) ?? [];
  if (words.length === 0 || words[0] === "COMMAND" || words[0]!.startsWith("-")) return undefined;
  const command = commands.get(words.slice(0, 2).join(" ")) ?? commands.get(words[0]!);
  // A command group, such as `assay payout`, may be named as a whole.
  if (!command) return program.commands.some((group) => group.name() === words[0] && words.length === 1) ? undefined : `there is no command ${words.slice(0, 2).join(" ")}`;
  const options = words.filter((word) => word.startsWith("--")).map((word) => word.split("=")[0]);
  const unknown = options.find((option) => option !== "--help" && !command.options.some(({ long }) => long === option));
  return unknown && `${pathOf(command)} has no option ${unknown}`;
}

describe("commands in documents", () => {
  it("exist, and so do their options", () => {
    const lines = documents.flatMap((document) => {
      const text = readDocument(document);
      // In other languages it is the name of a variable or a package.
      return [...readInlineCode(text), ...readBlocks(text).filter(({ language }) => ["sh", "text", ""].includes(language)).flatMap((block) => block.text.replaceAll("\\\n", " ").split("\n"))].map((line) => ({ document, line: line.trim() }));
    });
    const named = lines.filter(({ line }) => /^(npm run|assay) /.test(line));
    assert.ok(named.length > 30, `found only ${named.length} commands`);
    assert.deepEqual(named.flatMap(({ document, line }) => { const fault = findCommandFault(line); return fault ? [`${document}: ${line}: ${fault}`] : []; }), []);
    assert.match(findCommandFault("assay payout aprove x") ?? "", /no command payout aprove/);
    assert.match(findCommandFault("npm run -s assay -- fund --eur 3") ?? "", /no option --eur/);
    assert.match(findCommandFault("npm run tests") ?? "", /no script tests/);
  });

  it("are in `sh` blocks with known attributes", () => {
    const blocks = documents.flatMap((document) => readBlocks(readDocument(document)).map((block) => ({ document, ...block })));
    assert.deepEqual(blocks.filter(({ language }) => ["bash", "shell", "console", "zsh"].includes(language)).map(({ document, line }) => `${document}:${line}`), []);
    const unlabelled = blocks.filter(({ language, text }) => language === "" && /^(\$ |npm |curl |node )/m.test(text));
    assert.deepEqual(unlabelled.map(({ document, line }) => `${document}:${line}`), []);
    const unknown = blocks.filter(({ language, words }) => language === "sh" && words.some((word) => word !== "project" && word !== "serve"));
    assert.deepEqual(unknown.map(({ document, line, words }) => `${document}:${line} ${words.join(" ")}`), []);
  });
});

/** The blocks of commands that no test runs. Each says why; think twice before you add one. */
const notRun = [
  "README.md: npm test",
  "docs/availability.md: deploy/ha/recover-to.sh",
  "docs/backup.md: npm run -s assay -- restore --force",
  "docs/backup.md: npm run -s assay -- export --out assay.export",
  "docs/operating.md: HOST=127.0.0.1 PORT=8080",
  'docs/operating.md: export DATABASE_URL="postgres://assay_service',
  "docs/operating.md: npm run -s assay -- log witness",
  "docs/operating.md: export DATABASE_URL=postgres",
  "docs/testing.md: PORT=8099",
  "examples/README.md: cd examples/fastify",
  "packages/collector/README.md: npm install $ASSAY_URL/clients/assay-collector",
  "packages/react-native/README.md: npm install $ASSAY_URL/clients/assay-react-native",
  "packages/sdk/README.md: npm install $ASSAY_URL/clients/assay-sdk",
  "training/prepare/README.md: npm run prepare-data",
  "training/prepare/README.md: npm run train",
];

describe("a block that is not run", () => {
  const left = documents.flatMap((document) => readBlocks(readDocument(document)).filter(({ norun }) => norun !== undefined).map((block) => ({ document, ...block })));

  it("is one of a list, if it holds commands", () => {
    const commandsLeft = left.filter(({ language }) => language === "sh").map(({ document, text }) => `${document}: ${text}`);
    assert.equal(commandsLeft.length, notRun.length, commandsLeft.join("\n"));
    for (const [index, begin] of notRun.entries()) assert.ok(commandsLeft[index]!.startsWith(begin), `${commandsLeft[index]} is not in the list`);
  });

  it("says why in a sentence, and names only files that exist", () => {
    for (const { document, line, norun } of left) {
      assert.match(norun!, /(\S+ ){4,}/, `${document}:${line}`);
      for (const [file] of norun!.matchAll(/[\w.@-]+\/[\w./-]+\.\w+/g)) assert.ok(existsSync(join(root, file)), `${document}:${line} names ${file}`);
    }
  });
});

describe("a block in another language", () => {
  const blocks = documents.flatMap((document) => readBlocks(readDocument(document)).map((block) => ({ document, ...block })));
  const of = (language: string) => blocks.filter((block) => block.language === language);

  it("is checked below, compared with an output, or says why not", () => {
    const checked = new Set(["sh", "js", "json", "yaml", "html", "text", ""]);
    const unchecked = blocks.filter(({ language, norun, words }) => !checked.has(language) && norun === undefined && !words.some((word) => word.startsWith("file=")));
    assert.deepEqual(unchecked.map(({ document, line, language }) => `${document}:${line} ${language}`), []);
  });

  it("is JavaScript that parses, and imports what the packages export", async () => {
    const exported = { "@assay/sdk": Object.keys(await import("../packages/sdk/src/assay.ts")), "@assay/sdk/webhooks": Object.keys(await import("../packages/sdk/src/webhooks.ts")), "node:http": ["createServer"], "@assay/collector": ["startCollector"], "node:fs/promises": Object.keys(await import("node:fs/promises")) };
    assert.ok(readFileSync(join(root, "packages/collector/src/collector.ts"), "utf8").includes("export function startCollector("));
    assert.ok(of("js").length >= 4);
    for (const { document, line, text, norun } of of("js")) {
      const { diagnostics } = ts.transpileModule(text, { reportDiagnostics: true, fileName: "block.js", compilerOptions: { allowJs: true, target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext } });
      assert.deepEqual(diagnostics?.map(({ messageText }) => messageText), [], `${document}:${line}`);
      if (norun !== undefined) continue;
      for (const [, names, from] of text.matchAll(/import \{ ([^}]+) \} from "([^"]+)"/g)) {
        for (const name of names!.split(", ")) assert.ok(exported[from as keyof typeof exported]?.includes(name), `${document}:${line} imports ${name} from ${from}`);
      }
    }
  });

  it("is JSON that parses", () => {
    assert.ok(of("json").length > 5);
    for (const { document, line, text } of of("json")) assert.doesNotThrow(() => JSON.parse(text), `${document}:${line}`);
  });

  it("is an alert about metrics that exist, with even indentation and closed brackets", () => {
    const metrics = new Set(namesIn(readTableRows(readDocument("docs/operating.md").split("## Metrics")[1]!.split("\n## ")[0]!).map(([names]) => names!)));
    const rules = of("yaml").flatMap(({ document, text }) => text.split("\n").filter(Boolean).map((line) => ({ document, line })));
    for (const { document, line } of rules) {
      assert.match(line, /^( {2})*(- )?[a-z]+:( |$)/, `${document}: ${line}`);
      for (const [opening, closing] of ["()", "{}", "[]"].map((pair) => pair.split("") as [string, string])) assert.equal(line.split(opening).length, line.split(closing).length, `${document}: ${line}`);
    }
    const named = rules.filter(({ line }) => line.includes("expr:")).flatMap(({ line }) => [...line.matchAll(/\b(?:assay|nodejs|process)_\w+/g)].map(([name]) => name.replace(/_bucket$/, "")));
    assert.ok(named.length >= 9, named.join(" "));
    assert.deepEqual(named.filter((name) => !metrics.has(name)), []);
  });

  it("is HTML that loads the collector with the attributes it reads", () => {
    assert.ok(of("html").length >= 3);
    const installation = "https://assay.example.com/c/v1/";
    const values: Record<string, RegExp> = { src: new RegExp(`^(${installation}collector\\.js|/(\\w+/)*script\\.iife\\.js)$`), "data-site": /^site_…$/, "data-url": new RegExp(`^${installation}$`), "data-endpoint": /^\/\w+$/ };
    for (const { document, line, text } of of("html")) {
      const [, attributes] = /^<script ((?:[\w-]+="[^"]*"\s+)+)defer><\/script>\n$/.exec(text) ?? assert.fail(`${document}:${line}: ${text}`);
      for (const [, name, value] of attributes!.matchAll(/([\w-]+)="([^"]*)"/g)) assert.match(value!, values[name!] ?? /^$/, `${document}:${line} ${name}`);
    }
    const [, read] = /const \{ ([\w, ]+) \} = script\?\.dataset/.exec(readFileSync(join(root, "packages/collector/src/script.ts"), "utf8"))!;
    assert.deepEqual(read!.split(", ").map((name) => `data-${name}`).toSorted(), Object.keys(values).filter((name) => name.startsWith("data-")).toSorted());
  });
});

describe("the expected output in a document", () => {
  it("of a program that runs on is one of its lines", () => {
    const shown: Block = { language: "text", text: "genuine: wh_…\n", words: ["shown"], norun: undefined, line: 1 };
    assert.ok(hasLine(shown, "waiting\ngenuine: wh_1\nmore\n"));
    for (const printed of ["", "waiting\n", "not genuine: wh_1\n", "genuine:\nwh_1"]) assert.ok(!hasLine(shown, printed), printed);
  });

  const block = (language: string, text: string): Block => ({ language, text, words: ["answer"], norun: undefined, line: 1 });

  it("is compared with what was printed", () => {
    const json = block("json", '{"a": 1, "b": {"c": "x…z"}, "d": [1]}');
    assert.equal(findMismatch(json, '{"a":1,"b":{"c":"xyz","more":0},"d":[1],"more":0}'), undefined);
    for (const printed of ['{"a":2,"b":{"c":"xz"},"d":[1]}', '{"a":1,"b":{"c":"xy"},"d":[1]}', '{"a":1,"b":{"c":"xz"},"d":[1,2]}', '{"a":1,"d":[1]}']) {
      assert.notEqual(findMismatch(json, printed), undefined, printed);
    }
    const text = block("text", "Done: … of 3.\n");
    assert.equal(findMismatch(text, "Done: 2 of 3.\n"), undefined);
    assert.notEqual(findMismatch(text, "Done: 2 of 4.\n"), undefined);
  });
});

describe("lists in documents", () => {
  it("contain exactly the settings that config.ts reads", () => {
    const read = [...readFileSync(join(root, "apps/api/src/config.ts"), "utf8").matchAll(/^ {2}([A-Z][A-Z_]+): /gm)].map(([, name]) => name!);
    const settingsPart = readDocument("docs/operating.md").split(/^## /m).find((part) => part.startsWith("Settings"))!;
    const listed = namesIn(readTableRows(settingsPart).map(([name]) => name!));
    assert.ok(read.length > 15);
    assert.deepEqual(listed.toSorted(), read.toSorted());
  });

  it("quote log lines as the service writes them", () => {
    const source = globSync("apps/api/src/**/*.ts", { cwd: root }).map((file) => readFileSync(join(root, file), "utf8")).join("");
    const logsPart = readDocument("docs/operating.md").split(/^## /m).find((part) => part.startsWith("Logs"))!;
    const quoted = namesIn(readTableRows(logsPart).flat()).filter((name) => name.includes(" ")).map((name) => name.split("…")[0]!.trim());
    assert.ok(quoted.length >= 5, quoted.join("; "));
    assert.deepEqual(quoted.filter((line) => !source.includes(line)), []);
  });

  it("contain exactly the events that each audience is told of, with their fields", () => {
    const sectionOf = (heading: string) => readDocument("docs/webhooks.md").split(/^#{2,3} /m).find((part) => part.startsWith(heading))!;
    const rowOf = (type: EventType) => {
      const { summary, data } = eventKinds[type];
      return [type, summary, Object.keys(data.properties).join(" ")];
    };
    const listedIn = (heading: string) => readTableRows(sectionOf(heading)).map(([type, when, fields]) => [readInlineCode(type!).join(), when, readInlineCode(fields!).join(" ")]);
    assert.deepEqual(listedIn("Events for developers"), [...choosableTypes("developer"), "webhook.test" as const].map(rowOf));
    assert.deepEqual(listedIn("Events for operators"), choosableTypes("operator").map(rowOf));
  });

  it("contain the waits between attempts to deliver a webhook", () => {
    const section = readDocument("docs/webhooks.md").split(/^## /m).find((part) => part.startsWith("What you can rely on"))!;
    const [, ...waits] = readTableRows(section).at(-1)!;
    const units = { s: 1_000, min: 60_000, h: 3_600_000 };
    const inMs = (text: string) => {
      const [amount, unit] = text.split(" ") as [string, keyof typeof units];
      return Number(amount) * units[unit];
    };
    assert.deepEqual(waits.map(inMs), retryWaitsMs);
    assert.ok(section.includes(`**${retryWaitsMs.length + 1} attempts over 3 days.**`));
  });

  it("contain every issue of a session token, and whether the call is attested all the same", () => {
    const rows = readTableRows(readDocument("docs/attestation.md").split("## What the answer says")[1]!.split("\n## ")[0]!).filter((row) => row.length === 4);
    assert.deepEqual(rows.map(([issue]) => issue), attestationIssues.map((issue) => `\`${issue}\``));
    // As judge-token.ts decides.
    const stillAttested = rows.filter(([, attested]) => attested === "yes").map(([issue]) => issue);
    assert.deepEqual(stillAttested, ["`late_beats`", "`proxied`", "`origin_mismatch`"]);
  });

  it("contain the numbers that sessions are credited and limited by", () => {
    const document = readDocument("docs/attestation.md");
    const rowsOf = (heading: string) => readTableRows(document.split(`## ${heading}`)[1]!.split("\n## ")[0]!);
    const units = { s: 1_000, min: 60_000, h: 3_600_000 };
    const inMs = (text: string) => {
      const [, numbers, unit] = /^(?:at most )?([\d to]+) (s|min|h)$/.exec(text)!;
      return numbers!.split(" to ").map((number) => Number(number) * units[unit as keyof typeof units]);
    };
    const credited = rowsOf("What is credited").map(([, number]) => inMs(number!));
    assert.deepEqual(credited, [...nextMsRanges, [attestedFromMs], [clockToleranceMs], [lateAfterMs], [lateCreditMsMax], [tokenLifeMs], [sessionLifeMs]]);
    const limits = rowsOf("Limits").map(([, ...numbers]) => numbers.map((number) => Number(number.replace(",", ""))));
    assert.deepEqual(limits, [networkQuota, siteQuota].map(({ perMinute, perHour }) => [perMinute, perHour]));
    assert.ok(document.includes(`at most ${tokenLengthMax} characters`));
  });

  it("contain exactly the tables of the schema, each with its personal data", () => {
    const schema = readFileSync(join(root, "apps/api/src/store/schema.ts"), "utf8").split("export type Schema = {")[1]!;
    const tables = [...schema.matchAll(/^ {2}(\w+): /gm)].map(([, name]) => name!);
    const rows = readTableRows(readDocument("docs/privacy.md").split("## Every table")[1]!);
    assert.ok(tables.length > 30);
    assert.deepEqual(namesIn(rows.map(([name]) => name!)).toSorted(), tables.toSorted());
    for (const [table, personal, why, time] of rows) assert.ok(personal && why && time, table);
    // The test of erasure creates, and looks for, what this list names.
    const listed = Object.keys(JSON.parse(readFileSync(join(root, "scripts/personal-data.json"), "utf8")) as object);
    const withPersonalData = rows.filter(([, personal]) => !personal!.startsWith("none"));
    assert.deepEqual(namesIn(withPersonalData.map(([name]) => name!)).toSorted(), listed.toSorted());
  });
});

describe("CHANGELOG.md", () => {
  const text = readDocument("CHANGELOG.md");

  it("follows keepachangelog.com and contains the version of the packages", () => {
    assert.match(text, /^# Changelog\n/);
    const releases = [...text.matchAll(/^## (.+)$/gm)].map(([, title]) => title!);
    assert.equal(releases[0], "[Unreleased]");
    for (const release of releases.slice(1)) assert.match(release, /^\[\d+\.\d+\.\d+\] - \d{4}-\d{2}-\d{2}$/);
    assert.ok(releases.some((release) => release.startsWith(`[${version}]`)), `${version} is missing`);
    const kinds = [...text.matchAll(/^### (.+)$/gm)].map(([, kind]) => kind!);
    assert.ok(kinds.length > 0);
    for (const kind of kinds) assert.ok(["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"].includes(kind), kind);
    for (const packageFile of globSync("{packages,apps}/*/package.json", { cwd: root })) {
      assert.equal((JSON.parse(readFileSync(join(root, packageFile), "utf8")) as { version: string }).version, version, packageFile);
    }
  });
});
