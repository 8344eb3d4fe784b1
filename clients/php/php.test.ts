import { describe } from "node:test";
import { makeTestFolder } from "../../apps/api/test/start-service.ts";
import { runCorpus } from "../conformance/run-corpus.ts";
import { prepare, whySkipped } from "./prepare.ts";

describe("PHP", { skip: whySkipped() }, () => {
  runCorpus("php", () => prepare(makeTestFolder()));
});
