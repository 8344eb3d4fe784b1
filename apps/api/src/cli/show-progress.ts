const redrawMs = 100;
const barCells = 30;

export type Progress = { add(amount: number): void; end(): void };

/** A bar on standard error while it is a terminal; elsewhere nothing. */
export function showProgress(total: number, nowMs: () => number = () => performance.now()): Progress {
  if (!process.stderr.isTTY || total === 0) return { add: () => {}, end: () => {} };
  let done = 0;
  let drawnMs = -Infinity;
  const draw = () => {
    const share = Math.min(1, done / total);
    const filled = Math.round(share * barCells);
    process.stderr.write(`\r[${"█".repeat(filled)}${"·".repeat(barCells - filled)}] ${Math.floor(share * 100)}%`);
  };
  return {
    add(amount) {
      done += amount;
      if (nowMs() - drawnMs < redrawMs) return;
      drawnMs = nowMs();
      draw();
    },
    /** The bar is gone afterwards: what follows begins on a clean line. */
    end: () => void process.stderr.write(`\r${" ".repeat(barCells + 8)}\r`),
  };
}
