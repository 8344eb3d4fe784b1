import { makeTestFolder } from "../../apps/api/test/start-service.ts";
import { runCorpus } from "../conformance/run-corpus.ts";
import { prepare } from "./prepare.ts";

runCorpus("typescript", () => prepare(makeTestFolder()));
