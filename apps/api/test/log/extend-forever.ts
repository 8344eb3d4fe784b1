// node extend-forever.ts SETTINGS: extends the log of a store without a pause, until it is killed.
import { openStore, type StoreSettings } from "../../src/store/open-store.ts";
import { extend } from "./log-context.ts";

const { store } = await openStore(JSON.parse(process.argv[2]!) as StoreSettings, { nowMs: Date.now(), onConnectionError: () => {} });
for (;;) await extend(store);
