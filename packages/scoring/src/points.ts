/** Scores and points are multiples of 1/4096, which floating-point numbers add exactly in any order. */
export const unitsPerPoint = 4096;

export const toUnits = (points: number) => Math.round(points * unitsPerPoint);

/** Rounded for answers. Rounding to whole units first keeps a score and its explanation consistent. */
export const shown = (points: number) => Math.round((toUnits(points) / unitsPerPoint) * 10) / 10;

/** The lowest score that is shown as `points` or more. */
export const shownMin = (points: number) => points - 0.05;
