import { currentPeople } from "@assay/scoring/current-model.ts";
import { watchSessions } from "../src/scoring/traffic/watch-sessions.ts";
import type { Store } from "../src/store/store.ts";

/** What the job does before anything of a day is settled or deleted. */
export const checkDays = (store: Store, nowMs: number) => watchSessions(store, { nowMs, people: currentPeople, random: Math.random, isOver: () => false });
