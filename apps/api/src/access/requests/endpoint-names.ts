/** Routes that are billed, by the name that the ledger has for them. */
const billedNames: Readonly<Record<string, string>> = {
  "/api/ml/predict": "predict",
  "/ml/predict": "predict",
  "/api/ml/score": "score",
  "/api/ml/analyze": "analyze",
  "/api/servicescore/analyze": "servicescore_analyze",
};

/** How usage calls an endpoint: as the ledger does, or by its method and pattern. */
export const endpointOf = (request: { method: string; route: string }): string =>
  billedNames[request.route] ?? `${request.method} ${request.route}`;
