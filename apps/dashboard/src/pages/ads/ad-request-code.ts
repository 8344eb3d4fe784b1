import { type SampleLanguage, writeSample } from "../../samples/write-sample.ts";

type AdRequest = { format: string; placement: string; app_category?: string };

const bodyOf = ({ format, placement, app_category }: AdRequest) => ({
  format,
  placement,
  ...(app_category !== undefined && { user_context: { app_category } }),
});

export const adRequestCode = (language: SampleLanguage, { address, request }: { address: string; request: AdRequest }): string =>
  writeSample(language, { operationId: "requestAd", method: "post", template: "/api/ads/request", security: "key", path: {}, query: {}, body: bodyOf(request) }, { address });
