/**
 * Rounds `amounts` to whole numbers that add up to `total`: each is rounded down, and what is then missing
 * goes, one by one, to those that lost most. `total` must lie within the rounding of the amounts' own sum;
 * anything beyond is spread over all in turn, so the result always adds up.
 */
export function apportion(amounts: readonly number[], total: number): number[] {
  // A bug, not an input: without this the loop below would never end.
  if (!Number.isSafeInteger(total) || !amounts.every(Number.isFinite)) throw new Error("apportion: not whole or not finite");
  // Adding 0 turns -0 into 0.
  const whole = amounts.map((amount) => Math.floor(amount) + 0);
  if (whole.length === 0) return whole;
  const order = amounts
    .map((amount, index) => ({ index, lost: amount - Math.floor(amount) }))
    .toSorted((left, right) => right.lost - left.lost || left.index - right.index);
  let missing = total - whole.reduce((sum, each) => sum + each, 0);
  const direction = missing < 0 ? -1 : 1;
  for (let turn = 0; missing !== 0; turn = (turn + 1) % order.length, missing -= direction) {
    const at = direction < 0 ? order[order.length - 1 - turn] : order[turn];
    if (at !== undefined) whole[at.index] = (whole[at.index] ?? 0) + direction;
  }
  return whole;
}
