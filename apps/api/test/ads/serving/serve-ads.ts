import type { TestDatabase } from "../../both-stores.ts";
import { send, waitUntil } from "../../send.ts";
import { testSecretKey, type TestService } from "../../start-service.ts";

/** A node whose tracking addresses a test can sign, and that has got over its start: a busy machine sheds load at first. */
export async function serveAds(database: TestDatabase): Promise<TestService> {
  const service = await database.serve({ env: { SECRET_KEY: testSecretKey } });
  await waitUntil(async () => (await send(service, "/api/status")).status === 200, "the node takes calls");
  return service;
}
