import { describe } from "node:test";
import { makeTestFolder } from "../../apps/api/test/start-service.ts";
import { runCorpus } from "../conformance/run-corpus.ts";
import { prepare, whySkipped } from "./prepare.ts";

describe("Python", { skip: whySkipped() }, () => {
  runCorpus("python", () => prepare(makeTestFolder()));
  describe("on asyncio", () => runCorpus("python", () => prepare(makeTestFolder(), "async")));
});
