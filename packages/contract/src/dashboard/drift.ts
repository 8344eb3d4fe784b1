/** `GET /dashboard/api/drift`: the signals and scores of the account's live sessions in the last week, beside the four weeks before. */
import { signalNames } from "@assay/scoring/signals.ts";
import Type, { type Static } from "typebox";

const day = (description: string) => Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$", description });
const share = (description: string) => Type.Number({ minimum: 0, maximum: 1, description });
const nullableShare = (description: string) => Type.Union([share(description), Type.Null()]);
const nullableNumber = (description: string) => Type.Union([Type.Number(), Type.Null()], { description });
const count = (description: string) => Type.Integer({ minimum: 0, description });

const Span = (description: string) => Type.Object({ from: day("First day, UTC."), to: day("Last day."), sessions: count("Live sessions.") }, { description });

const DriftLine = Type.Object({
  name: Type.Enum([...signalNames, "service_score"]),
  state: Type.Enum(["as_usual", "changed", "not_judged"], { description: "`not_judged`: see `why`." }),
  why: Type.Union([Type.Enum(["never_sent", "scale_changed"]), Type.Null()], {
    description: "`never_sent`: no session had the signal. `scale_changed`: the scores are of several models or calibrations.",
  }),
  aspect: Type.Union([Type.Enum(["missing", "level", "shape"]), Type.Null()], {
    description: "What changed most: how often the signal is missing, how high its values are, or how they are spread.",
  }),
  missing: share("Sessions without the signal this week."),
  missing_before: share("Sessions without the signal in the weeks before."),
  median: nullableNumber("Of the sessions with the signal this week; for return_visitor the share of returning visitors."),
  median_before: nullableNumber("The same of the weeks before."),
  bins: Type.Array(Type.Object({ from: Type.Number(), now: nullableShare("Of this week's sessions with the signal."), before: nullableShare("Of the sessions with it in the weeks before.") }), {
    description: "The distributions that were compared. A bin ends where the next one begins.",
  }),
});
export type DriftLine = Static<typeof DriftLine>;

export const DriftReply = Type.Object({
  state: Type.Enum(["compared", "too_young", "too_few", "incomplete"], {
    description:
      "`too_young`: fewer than five weeks have sessions. `too_few`: a week has fewer than `sessions_min`. " +
      "`incomplete`: older hours are still being summed up, and the next request continues.",
  }),
  sessions_min: count("Sessions that each of the five weeks needs."),
  week: Span("The last seven complete days."),
  before: Span("The four weeks before them."),
  scale_changed_on: Type.Union([day("Since then all scores are of the present model and calibration."), Type.Null()]),
  lines: Type.Array(DriftLine, { description: "The six signals and the score; empty unless `compared`." }),
});
export type DriftReply = Static<typeof DriftReply>;
