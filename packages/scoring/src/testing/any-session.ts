import fc from "fast-check";
import type { Model } from "../model.ts";
import { releasedModels } from "../released-models.ts";
import type { Signals } from "../signals.ts";

const durationSecondsMax = 31_536_000;
const countMax = 2_147_483_647;

/** Log-uniform from 0 to `most`, as real amounts are. */
const amount = (most: number) =>
  fc.double({ min: 0, max: 1, noNaN: true }).map((share) => Math.expm1(share * Math.log1p(most)));
const count = fc.oneof(fc.integer({ min: 0, max: 40 }), amount(2_000).map(Math.floor), amount(countMax).map(Math.floor));
const share = fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(0, 0.5, 1));
const duration = fc.oneof(fc.integer({ min: 0, max: 900 }), amount(20_000), amount(durationSecondsMax));

const everySignal = {
  user_engagement: share,
  session_duration: duration,
  scroll_depth: share,
  interaction_count: count,
  page_views: count,
  return_visitor: fc.boolean(),
};

/** Any session that the API accepts, with any signals missing. */
export const anySession = fc.oneof(
  fc.record(everySignal) as fc.Arbitrary<Signals>,
  fc.record(everySignal, { requiredKeys: [] }) as fc.Arbitrary<Signals>,
);

/** Every released model, and each on an account's own scale. */
export const explainedModels: { name: string; model: Model }[] = releasedModels.flatMap(({ model }) => [
  { name: model.version, model },
  { name: `${model.version}, recalibrated`, model: model.calibrated({ shift: -0.8, slope: 1.3 }) },
]);
