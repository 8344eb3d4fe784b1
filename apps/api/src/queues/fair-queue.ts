/** One line per group (an account, an address), so that the length of one line does not delay another. */
export type FairQueue<Item> = {
  /** Returns false if there is no room for another item of this group. */
  add(group: string, item: Item): boolean;
  /**
   * Takes the next items, in order within each group. Every waiting group gives at least one item before any gives
   * more than its share. Groups that were not served come first the next time.
   */
  take(bounds: { itemsMax: number; perGroupMax: number }): Item[];
  /** Takes one item of the first group that `mayTake` allows. */
  takeOne(mayTake: (group: string) => boolean): Item | undefined;
  size(): number;
};

type Line<Item> = { group: string; items: Item[]; takenCount: number };

/**
 * A group may have as many items waiting as there are free places. A single flood therefore gets half of all places, k
 * floods get 1/(k+1) each, and the same share stays free for newcomers: the flood is refused, not the others.
 */
export function createFairQueue<Item>(waitingMax: number): FairQueue<Item> {
  /** In the order of their turns: a Map iterates in insertion order. */
  let lines = new Map<string, Item[]>();
  let waiting = 0;

  function takeAll(): Item[] {
    const all = lines.size === 1 ? lines.values().next().value! : [...lines.values()].flat();
    // Not `clear()`: V8 leaves a cleared table as it is, linked to the next one. Once one of them is old, all that follow, with
    // every item that was ever in them, survive until the next major collection.
    lines = new Map();
    waiting = 0;
    return all;
  }

  /** A line that was served goes to the end with its remaining items. */
  function moveToEnd({ group, items, takenCount }: Line<Item>): void {
    if (takenCount === 0) return;
    lines.delete(group);
    if (takenCount < items.length) lines.set(group, items.slice(takenCount));
  }

  return {
    add(group, item) {
      const line = lines.get(group);
      if ((line?.length ?? 0) >= waitingMax - waiting) return false;
      if (line) line.push(item);
      else lines.set(group, [item]);
      waiting += 1;
      return true;
    },
    take({ itemsMax, perGroupMax }) {
      if (waiting <= perGroupMax && waiting <= itemsMax) return takeAll();
      const all = Array.from(lines, ([group, items]): Line<Item> => ({ group, items, takenCount: 0 }));
      const taken: Item[] = [];
      // What a short line leaves of its share goes to the others in the next round.
      for (let open = all; open.length > 0 && taken.length < itemsMax; ) {
        const share = Math.max(1, Math.floor((itemsMax - taken.length) / open.length));
        for (const line of open) {
          const roomLeft = Math.min(share, perGroupMax - line.takenCount, itemsMax - taken.length);
          const some = line.items.slice(line.takenCount, line.takenCount + roomLeft);
          taken.push(...some);
          line.takenCount += some.length;
        }
        open = open.filter(({ items, takenCount }) => takenCount < items.length && takenCount < perGroupMax);
      }
      for (const line of all) moveToEnd(line);
      waiting -= taken.length;
      return taken;
    },
    takeOne(mayTake) {
      for (const [group, items] of lines) {
        if (!mayTake(group)) continue;
        moveToEnd({ group, items, takenCount: 1 });
        waiting -= 1;
        return items[0];
      }
      return undefined;
    },
    size: () => waiting,
  };
}
