import { useEffect, useState } from "react";
import { formatLocalTime, formatRelative, formatUtcTime } from "./format.ts";

const tickMs = 15_000;

/** Local time, with UTC on hover because the API and statements use UTC. */
export function Time({ at }: { at: string }) {
  return <time dateTime={at} title={formatUtcTime(at)}>{formatLocalTime(at, Date.now())}</time>;
}

export function RelativeTime({ at }: { at: string }) {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, []);
  return <time dateTime={at} title={`${formatLocalTime(at, nowMs)}\n${formatUtcTime(at)}`}>{formatRelative(at, Math.max(nowMs, Date.parse(at)))}</time>;
}
