import autocannon from "autocannon";

export type Load = { perSecond: number; p50Ms: number; p99Ms: number; errors: number; calls: number };

const body = JSON.stringify({
  session_data: {
    user_engagement: 0.75,
    session_duration: 180,
    scroll_depth: 0.8,
    interaction_count: 12,
    page_views: 5,
    return_visitor: true,
  },
});

let keys = 0;
const run = `${Date.now()}-${process.pid}`;

/** Drives one address with keep-alive connections, one request at a time on each. */
export async function measureLoad(
  url: string,
  settings: { apiKey: string; seconds: number; connections: number; uniqueKeys: boolean },
): Promise<Load> {
  const headers = { "x-api-key": settings.apiKey, "content-type": "application/json" };
  const result = await autocannon({
    url: `${url}/api/ml/predict`,
    method: "POST",
    connections: settings.connections,
    duration: settings.seconds,
    headers,
    body,
    ...(settings.uniqueKeys && {
      requests: [
        {
          setupRequest: (request) => ({
            ...request,
            headers: { ...headers, "idempotency-key": `${run}-${(keys += 1)}` },
          }),
        },
      ],
    }),
  });
  return {
    perSecond: result.requests.average,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    errors: result.errors + result.non2xx,
    calls: result["2xx"],
  };
}
