import { setTimeout as sleep } from "node:timers/promises";

const busyTriesMax = 50;
const busyWaitMs = 200;

/** Calls predict as a developer's server does, and retries while the service sheds load. */
export async function predict(url: string, apiKey: string, session: Record<string, unknown> = {}): Promise<Response> {
  for (let tries = 1; ; tries += 1) {
    const answer = await predictOnce(url, apiKey, session);
    if (answer.status !== 503 || tries === busyTriesMax) return answer;
    await sleep(busyWaitMs);
  }
}

async function predictOnce(url: string, apiKey: string, session: Record<string, unknown>): Promise<Response> {
  return fetch(`${url}/api/ml/predict`, {
    method: "POST",
    headers: { "x-api-key": apiKey, "content-type": "application/json" },
    body: JSON.stringify({ session_data: { user_engagement: 0.75, session_duration: 180, scroll_depth: 0.8, interaction_count: 12, page_views: 5, return_visitor: true, ...session } }),
  });
}
