const secondsPerMinute = 60;
const secondsPerHour = 3_600;
const secondsPerDay = 86_400;

/** The two largest units: "3 d 4 h", "12 min". */
export function formatUptime(seconds: number): string {
  if (seconds < secondsPerMinute) return `${Math.floor(seconds)} s`;
  if (seconds < secondsPerHour) return `${Math.floor(seconds / secondsPerMinute)} min`;
  if (seconds < secondsPerDay) return `${Math.floor(seconds / secondsPerHour)} h ${Math.floor((seconds % secondsPerHour) / secondsPerMinute)} min`;
  return `${Math.floor(seconds / secondsPerDay)} d ${Math.floor((seconds % secondsPerDay) / secondsPerHour)} h`;
}
