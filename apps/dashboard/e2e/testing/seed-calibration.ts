import { msPerDay } from "../../../api/src/formats/time.ts";
import type { Store } from "../../../api/src/store/store.ts";
import { fillOutcomes } from "../../../api/test/scoring/fill-outcomes.ts";
import { addPerson } from "./seed-people.ts";

export const calibrationPeople = { reporter: "reporter@example.com", beginner: "beginner@example.com" };

/** A developer with enough outcomes, and one with too few. */
export async function seedCalibration(store: Store): Promise<void> {
  const nowMs = Date.now();
  for (const [email, good, bad] of [[calibrationPeople.reporter, 320, 480], [calibrationPeople.beginner, 12, 30]] as const) {
    const accountId = await addPerson(store, { email, nowMs });
    await fillOutcomes(store, { accountId, good, bad, truth: { shift: -0.8, slope: 2 }, atMs: nowMs - msPerDay });
  }
}
