type KeyTimes = { expires_at: number | null; revoked_at: number | null; replaced_by: string | null };

/**
 * What a key is now, and when it stopped for good. A replaced key is `rotated` while its grace period lasts
 * and `revoked` from then on; any other key that ran out is `expired`.
 */
export function keyStateOf(
  key: KeyTimes,
  nowMs: number,
): { state: "active" | "rotated" | "expired" | "revoked"; revokedAtMs: number | null } {
  if (key.revoked_at !== null) return { state: "revoked", revokedAtMs: key.revoked_at };
  const isOver = key.expires_at !== null && key.expires_at <= nowMs;
  if (key.replaced_by === null) return { state: isOver ? "expired" : "active", revokedAtMs: null };
  return isOver ? { state: "revoked", revokedAtMs: key.expires_at } : { state: "rotated", revokedAtMs: null };
}
