/** A page's site. `origins`: a JSON array. A deleted one is kept for two days: every node learns of it, and its last sessions end. */
export type SiteRow = {
  id: string;
  account_id: string;
  name: string;
  origins: string;
  created_at: number;
  changed_at: number;
  deleted_at: number | null;
  last_seen_at: number | null;
};

/** Billed calls with a token of the site, those of them that were attested, and sessions that began: anybody can begin one. */
export type SiteDayRow = { site_id: string; day: number; sessions: number; calls: number; attested_calls: number };

/** Makes the day's network tags: random, in base64url, deleted after 48 hours. */
export type NetworkSaltRow = { day: number; salt: string };

/** Attested billed calls of an account's day that one process counted, from how many networks, and those from the most frequent one. */
export type NetworkDayRow = { account_id: string; day: number; part: string; calls: number; networks: number; top_calls: number };

/** A session that was used for an attested billed call, the one with the id `ref`. */
export type AttestedSessionRow = { id: string; account_id: string; ref: string; at: number };
