import { currentModel } from "@assay/scoring/current-model.ts";
import { type SignalName, signalNames } from "@assay/scoring/signals.ts";
import { addSession, emptySummary, writeSummary } from "../../../api/src/scoring/traffic/session-summary.ts";
import { insertHours } from "../../../api/src/scoring/traffic/traffic.table.ts";
import type { Store } from "../../../api/src/store/store.ts";
import { type Change, drawDays } from "../../../api/test/scoring/draw-weeks.ts";
import { addPerson } from "./seed-people.ts";

const dayMs = 86_400_000;
export const driftPeople = { broken: "broken@example.com", steady: "steady@example.com", young: "young@example.com" };

/** Five weeks up to yesterday, each day as the summary of one hour. */
async function seedWeeks(store: Store, site: { email: string; firstDay: number; change?: Change }): Promise<void> {
  const todayMs = Math.floor(Date.now() / dayMs) * dayMs;
  const accountId = await addPerson(store, { email: site.email });
  const drawn = drawDays({ seed: 11, sessionsPerWeek: 3_000, ...(site.change && { change: site.change }) });
  const hours = Array.from(drawn, (sessions, day) => {
    const summary = emptySummary();
    for (const signals of sessions) {
      const values = Object.fromEntries(signalNames.map((name) => [name, signals[name] === undefined ? null : Number(signals[name])])) as Record<SignalName, number | null>;
      addSession(summary, { ...values, service_score: currentModel.score(signals).serviceScore, model_version: currentModel.version, calibration: null });
    }
    return { account_id: accountId, hour: todayMs - (35 - day) * dayMs + dayMs / 2, summary: writeSummary(summary) };
  });
  await insertHours(store.db, hours.slice(site.firstDay)).execute();
}

/** A site whose pages stopped counting interactions, one as usual, and one that is too young to be compared. */
export async function seedDrift(store: Store): Promise<void> {
  await seedWeeks(store, { email: driftPeople.broken, firstDay: 0, change: { interactionsMissing: 0.41 } });
  await seedWeeks(store, { email: driftPeople.steady, firstDay: 0 });
  await seedWeeks(store, { email: driftPeople.young, firstDay: 20 });
}
