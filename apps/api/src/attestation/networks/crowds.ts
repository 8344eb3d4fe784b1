import { networkQuota, siteQuota } from "@assay/contract/attestation.ts";
import type { Limiter, Quota, WindowCounts } from "../../access/limits/limiter.ts";
import type { NetworkTags } from "./network-tags.ts";

/** Windows reach this far back, and up to a sixtieth further. */
export const windowSpanMs = 61 * 60_000;

export type Crowds = {
  /** Counts a session that begins. True if its network or its site has had too many: it is flagged, never refused. */
  isCrowded(begun: { tags: NetworkTags; siteId: string }): boolean | Promise<boolean>;
};

const lessThan = (quota: Quota, { hour, burst }: WindowCounts): Quota => ({ perHour: quota.perHour - hour.used, perMinute: quota.perMinute - burst.used });

/**
 * The network decides first, over all accounts. A session that its network makes crowded does not count for its site,
 * whose id is public: otherwise a stranger in one network could make every session of a site crowded.
 */
export function createCrowds(limiter: Limiter): Crowds {
  async function takeShared({ tags, siteId }: { tags: NetworkTags; siteId: string }): Promise<boolean> {
    const { today, yesterday } = tags;
    const before = yesterday === undefined ? undefined : await limiter.peek(`network:${yesterday}`, networkQuota);
    const quota = before ? lessThan(networkQuota, before) : networkQuota;
    const { allowed } = await limiter.consume(`network:${today}`, quota);
    return !allowed || !(await limiter.consume(`site:${siteId}`, siteQuota)).allowed;
  }
  return { isCrowded: takeShared };
}
