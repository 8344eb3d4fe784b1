/**
 * Rounds `amounts` to integers that add up to `total` by the largest-remainder method: each is rounded down,
 * and the missing units go one by one to the largest remainders. `total` should be the rounded sum of the
 * amounts; any excess is spread over all of them in turn, so the result always adds up.
 */
export function apportion(amounts: readonly number[], total: number): number[] {
  // Guards against a caller's bug: without it the loop below would never end.
  if (!Number.isSafeInteger(total) || !amounts.every(Number.isFinite)) throw new Error("apportion: total is not an integer or an amount is not finite");
  // Adding 0 turns -0 into 0.
  const whole = amounts.map((amount) => Math.floor(amount) + 0);
  if (whole.length === 0) return whole;
  const order = amounts
    .map((amount, index) => ({ index, remainder: amount - Math.floor(amount) }))
    .toSorted((left, right) => right.remainder - left.remainder || left.index - right.index);
  let missing = total - whole.reduce((sum, each) => sum + each, 0);
  const direction = missing < 0 ? -1 : 1;
  for (let turn = 0; missing !== 0; turn = (turn + 1) % order.length, missing -= direction) {
    const at = direction < 0 ? order[order.length - 1 - turn] : order[turn];
    if (at !== undefined) whole[at.index] = (whole[at.index] ?? 0) + direction;
  }
  return whole;
}
