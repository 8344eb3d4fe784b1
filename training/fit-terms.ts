import type { Artefact, Curve } from "../packages/scoring/src/artefact.ts";
import { bitOf } from "../packages/scoring/src/evaluate-terms.ts";
import { signalNames } from "../packages/scoring/src/signals.ts";
import type { SignalName } from "../packages/scoring/src/signals.ts";
import { buildDesign } from "./design.ts";
import type { DesignRow } from "./design.ts";
import { fit } from "./fit.ts";
import { penaltiesOf } from "./penalty.ts";
import { hashText, seededRandom } from "./random.ts";
import type { Session } from "./read-sessions.ts";
import { curveTerms, layOut, pairTerms, scaleOf } from "./terms.ts";
import type { Layout } from "./terms.ts";

export type Terms = Pick<Artefact, "curves" | "pairs">;

/** Half of each source's weight goes to each label, for a prior of one half. */
const sourceWeight: Readonly<Record<Session["task"], number>> = { human: 20_000, engaged: 24_000 };
/** Share of a session's weight that goes to a copy with signals hidden at random. */
const hiddenShare = 0.25;
const hideProbability = 0.25;
const hideSeed = 7;

/**
 * No training source observed scroll depth. One small study suggests 0.25 to 2.5 log-odds over its range when only
 * the duration is known, and almost nothing once engagement is known. The low end is used as a prior.
 */
const scrollPrior: Curve = { scale: "linear", knots: [0, 1], values: [-0.125, 0.125] };

/** Fits one additive model over all sessions, with an intercept per source that scoring omits. */
export function fitTerms(sessions: readonly Session[]): { terms: Terms; iterations: number } {
  const sources = [...new Set(sessions.map((session) => session.source))].toSorted();
  const layout = layOut(sources.length);
  const design = buildDesign(weighRows(sessions, sources), layout);
  const { parameters, iterations } = fit({
    design,
    parameterCount: layout.count,
    chains: layout.chains,
    penalties: penaltiesOf(layout),
  });
  return { terms: toTerms(parameters, layout), iterations };
}

function weighRows(sessions: readonly Session[], sources: readonly string[]): DesignRow[] {
  const count = new Map<string, number>();
  const groupOf = (session: Session) => `${session.source} ${session.label}`;
  for (const session of sessions) count.set(groupOf(session), (count.get(groupOf(session)) ?? 0) + 1);
  const rows: DesignRow[] = [];
  for (const session of sessions) {
    const weight = sourceWeight[session.task] / 2 / (count.get(groupOf(session)) as number);
    const sourceIndex = sources.indexOf(session.source);
    const { signals, label } = session;
    rows.push({ signals, mask: 0, sourceIndex, label, weight: weight * (1 - hiddenShare) });
    const mask = hiddenSignals(session.rowId);
    rows.push({ signals, mask, sourceIndex, label, weight: weight * hiddenShare });
  }
  return rows;
}

/** Signals that the copy of a row hides: at least one, by a random generator seeded with the row. */
function hiddenSignals(rowId: string): number {
  const random = seededRandom(hashText(rowId) ^ hideSeed);
  let mask = 0;
  while (mask === 0) {
    for (const name of signalNames) if (random() < hideProbability) mask |= bitOf(name);
  }
  return mask;
}

/** Multiples of 1/1024: their differences are exact, and numerical noise of the fit is rounded away. */
export const roundLogOdds = (value: number) => Math.round(value * 1024) / 1024 + 0;

function toTerms(parameters: Float64Array, layout: Layout): Terms {
  const curves: Partial<Record<SignalName, Curve>> = { scroll_depth: scrollPrior };
  for (const [index, term] of curveTerms.entries()) {
    const offset = layout.curveOffsets[index] as number;
    const values = term.knots.map((_, knot) => roundLogOdds(parameters[offset + knot] as number));
    curves[term.signal] = { scale: term.scale, knots: term.knots, values };
  }
  const pairs = pairTerms.map(({ signals, knots }, index) => {
    const columnCount = knots[1].length;
    const at = (row: number, column: number) => (layout.pairOffsets[index] as number) + row * columnCount + column;
    const rowOf = (row: number) => knots[1].map((_, column) => roundLogOdds(parameters[at(row, column)] as number));
    return { signals, knots, values: knots[0].map((_, row) => rowOf(row)) };
  });
  return { curves: inSignalOrder(curves), pairs };
}

function inSignalOrder(curves: Partial<Record<SignalName, Curve>>): Record<SignalName, Curve> {
  const curveOf = (name: SignalName) => curves[name] ?? { scale: scaleOf(name), knots: [0, 1], values: [0, 0] };
  return Object.fromEntries(signalNames.map((name) => [name, curveOf(name)])) as Record<SignalName, Curve>;
}
