// node write-events-forever.ts {dataDir, databaseUrl, audience}: writes events until it is killed, every third of them in a transaction that is rolled back.
import { openStore } from "../../src/store/open-store.ts";
import { eventStatements } from "../../src/webhooks/events/write-events.ts";
import { keyCreated } from "./make-endpoint.ts";

const failing = new URL("./fail-after-events.work.ts", import.meta.url);
const { audience, ...settings } = JSON.parse(process.argv[2]!) as { dataDir: string; databaseUrl: string | undefined; audience: string };
const { store } = await openStore(settings, { nowMs: Date.now(), onConnectionError: () => {} });
for (let written = 0; ; written += 1) {
  const nowMs = Date.now();
  if (written % 3 === 2) await store.transact(failing, { events: [keyCreated(audience, "key_rolled_back")], nowMs }).catch(() => {});
  else await store.write(eventStatements(store.db, keyCreated(audience), { nowMs }));
}
