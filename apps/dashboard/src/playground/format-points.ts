/** Two decimals and a sign: `+8.40`, `−3.20`, `0.00`. */
export function formatPoints(points: number): string {
  const text = Math.abs(points).toFixed(2);
  if (Number(text) === 0) return "0.00";
  return `${points > 0 ? "+" : "−"}${text}`;
}
