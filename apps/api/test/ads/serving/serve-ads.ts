import type { TestDatabase } from "../../both-stores.ts";
import { send, waitUntil } from "../../send.ts";
import { testSecretKey, type TestService } from "../../start-service.ts";

/** A node whose tracking URLs a test can sign. Waits until it takes calls: on a busy machine it sheds load at first. */
export async function serveAds(database: TestDatabase): Promise<TestService> {
  const service = await database.serve({ env: { SECRET_KEY: testSecretKey } });
  await waitUntil(async () => (await send(service, "/api/status")).status === 200, "the node takes calls");
  return service;
}
