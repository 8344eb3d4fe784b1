/** Options of `createReplayGuard`. */
export type ReplayGuardOptions = {
  /** How many ids are remembered; the oldest one is forgotten first. Default: 10,000. */
  sizeMax?: number | undefined;
  /** How long an id is remembered. Default: four days, a day longer than a delivery is retried. */
  ttlSeconds?: number | undefined;
  /** Replacement for `Date.now`, for tests. */
  now?: (() => number) | undefined;
};

/** Remembers which events were handled. */
export type ReplayGuard = {
  /** For `verifyWebhook`. */
  seen: (id: string) => boolean;
  /** Call it when the event has been handled, not before: what failed must be handled when it is sent again. */
  remember: (id: string) => void;
};

const dayMs = 24 * 3_600_000;

/** In the memory of one process. Where there are several, or a restart must not forget, keep the ids in your database. */
export function createReplayGuard({ sizeMax = 10_000, ttlSeconds = (4 * dayMs) / 1_000, now = Date.now }: ReplayGuardOptions = {}): ReplayGuard {
  if (!Number.isInteger(sizeMax) || sizeMax < 1) throw new RangeError("sizeMax must be a whole number from 1");
  if (!(ttlSeconds > 0)) throw new RangeError("ttlSeconds must be more than 0");
  /** From the oldest to the newest: a Map keeps the order of insertion. */
  const rememberedAt = new Map<string, number>();
  return {
    seen: (id) => {
      const atMs = rememberedAt.get(id);
      if (atMs === undefined) return false;
      if (now() - atMs < ttlSeconds * 1_000) return true;
      rememberedAt.delete(id);
      return false;
    },
    remember: (id) => {
      rememberedAt.delete(id);
      rememberedAt.set(id, now());
      for (const oldest of rememberedAt.keys()) {
        if (rememberedAt.size <= sizeMax) break;
        rememberedAt.delete(oldest);
      }
    },
  };
}
