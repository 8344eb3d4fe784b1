import { describe } from "node:test";
import { makeTestFolder } from "../../apps/api/test/start-service.ts";
import { runCorpus } from "../conformance/run-corpus.ts";
import { prepare, whySkipped } from "./prepare.ts";

describe("Go", { skip: whySkipped() }, () => {
  runCorpus("go", () => prepare(makeTestFolder()));
});
