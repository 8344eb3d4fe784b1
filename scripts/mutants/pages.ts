import type { Mutant } from "./mutant.ts";

export const pagesMutants: readonly Mutant[] = [
  {
    name: "evidence is drawn in proportion, so that all but the last day is flat",
    file: "apps/dashboard/src/ui/scales.ts",
    from: "clamp(Math.log(value / from) / Math.log(to / from))",
    to: "clamp((value - from) / (to - from))",
    killedBy: ["apps/dashboard/src/ui/scales.test.ts", "put equal factors at equal distances, and what is outside at the nearer end"],
  },
  {
    name: "a gauge of a share is drawn by powers",
    file: "apps/dashboard/src/ui/scales.ts",
    from: "const logThresholdMin = 100;",
    to: "const logThresholdMin = 0;",
    killedBy: ["apps/dashboard/src/ui/scales.test.ts", "show on every gauge the threshold at the same place, by powers for evidence and in proportion for the rest"],
  },
  {
    name: "days without calls are left out of the picture",
    file: "apps/dashboard/src/ui/days.ts",
    from: "(startOf(last) - startOf(first)) / dayMs + 1",
    to: "days.length",
    killedBy: ["apps/dashboard/src/ui/days.test.ts", "have a place each, so that a day without calls is a gap"],
  },
  {
    name: "a picture of many days shows the oldest",
    file: "apps/dashboard/src/ui/days.ts",
    from: "dayAfter(last, index - count + 1)",
    to: "dayAfter(first, index)",
    killedBy: ["apps/dashboard/src/ui/days.test.ts", "have a place each, so that a day without calls is a gap"],
  },
  {
    name: "the newest pending day is named as the next to be confirmed",
    file: "apps/dashboard/src/ui/describe-day.ts",
    from: 'days.findLast(({ state }) => state === "pending")',
    to: 'days.find(({ state }) => state === "pending")',
    killedBy: ["apps/dashboard/src/ui/describe-day.test.ts", "names as the next one the oldest that is pending"],
  },
  {
    name: "a day that a finding keeps back is promised for a day in the past",
    file: "apps/dashboard/src/ui/describe-day.ts",
    from: "Date.parse(confirmsAt) + confirmingMs < nowMs",
    to: "Date.parse(confirmsAt) + confirmingMs < 0",
    killedBy: ["apps/dashboard/src/ui/describe-day.test.ts", "says when it is confirmed, or that something keeps it back after that time"],
  },
  {
    name: "the threshold is outside the picture while there is little evidence",
    file: "apps/dashboard/src/pages/operator/integrity/evidence-scale.ts",
    from: "Math.max(threshold * 10, ...values)",
    to: "Math.max(1, ...values)",
    killedBy: ["apps/dashboard/src/pages/operator/integrity/evidence-scale.test.ts", "has the threshold inside the picture, whatever the evidence"],
  },
  {
    name: "the line of one check shows the account's evidence",
    file: "apps/dashboard/src/pages/operator/integrity/evidence-scale.ts",
    from: "checks.find((each) => each.check === check)?.evidence",
    to: "total",
    killedBy: ["apps/dashboard/src/pages/operator/integrity/evidence-scale.test.ts", "is a line of the total, or of one check on the days on which it was computed"],
  },
];
