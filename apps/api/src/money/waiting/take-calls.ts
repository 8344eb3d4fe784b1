export type ShareSums = { share_bps: number; calls: number; gross_micro: number; developer_micro: number };

/** So many of a day's calls, the best paid first, by share. Calls of one share earn the same. */
export function takeCalls(shares: readonly ShareSums[], calls: number): ShareSums[] {
  const taken: ShareSums[] = [];
  let left = calls;
  for (const share of shares.toSorted((one, other) => other.share_bps - one.share_bps)) {
    const some = Math.min(left, share.calls);
    if (some <= 0) continue;
    left -= some;
    const partOf = (micro: number) => (some === share.calls ? micro : Math.floor((micro * some) / share.calls));
    taken.push({ share_bps: share.share_bps, calls: some, gross_micro: partOf(share.gross_micro), developer_micro: partOf(share.developer_micro) });
  }
  return taken;
}

export const developerMicroUsdOf = (shares: readonly ShareSums[]): number => shares.reduce((sum, share) => sum + share.developer_micro, 0);
