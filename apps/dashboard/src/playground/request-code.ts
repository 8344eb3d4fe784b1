import type { Signals } from "@assay/scoring/signals.ts";
import { type SampleLanguage, sampleLanguages, writeSample } from "../samples/write-sample.ts";

export const codeLanguages = sampleLanguages;
export type CodeLanguage = SampleLanguage;

/** A call of predict with these signals. */
export const requestCode = (language: CodeLanguage, { address, signals }: { address: string; signals: Signals }): string =>
  writeSample(language, { operationId: "predict", method: "post", template: "/api/ml/predict", security: "key", path: {}, query: {}, body: { session_data: { ...signals } } }, { address });
