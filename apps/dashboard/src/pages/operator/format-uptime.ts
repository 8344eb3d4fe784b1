const minuteSeconds = 60;
const hourSeconds = 3_600;
const daySeconds = 86_400;

/** The two largest units: "3 d 4 h", "12 min". */
export function formatUptime(seconds: number): string {
  if (seconds < minuteSeconds) return `${Math.floor(seconds)} s`;
  if (seconds < hourSeconds) return `${Math.floor(seconds / minuteSeconds)} min`;
  if (seconds < daySeconds) return `${Math.floor(seconds / hourSeconds)} h ${Math.floor((seconds % hourSeconds) / minuteSeconds)} min`;
  return `${Math.floor(seconds / daySeconds)} d ${Math.floor((seconds % daySeconds) / hourSeconds)} h`;
}
