/** A replaced key is `rotated` during its grace period and `revoked` afterwards; any other key past its expiry is `expired`. */
export function keyStateOf(
  key: { expires_at: number | null; revoked_at: number | null; replaced_by: string | null },
  nowMs: number,
): { state: "active" | "rotated" | "expired" | "revoked"; revokedAtMs: number | null } {
  if (key.revoked_at !== null) return { state: "revoked", revokedAtMs: key.revoked_at };
  const isOver = key.expires_at !== null && key.expires_at <= nowMs;
  if (key.replaced_by === null) return { state: isOver ? "expired" : "active", revokedAtMs: null };
  return isOver ? { state: "revoked", revokedAtMs: key.expires_at } : { state: "rotated", revokedAtMs: null };
}
