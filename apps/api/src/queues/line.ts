/** First in, first out. */
export type Line<Item> = {
  /** Returns false if there is no room. */
  add(item: Item): boolean;
  take(): Item | undefined;
  size(): number;
};

/** Lets go of what it has handed out at once, also while it never becomes empty. Adding and taking need constant time on average. */
export function createLine<Item>(waitingMax: number): Line<Item> {
  let arriving: Item[] = [];
  /** Reversed, so that the first is at its end. */
  let leaving: Item[] = [];
  return {
    add(item) {
      if (arriving.length + leaving.length >= waitingMax) return false;
      arriving.push(item);
      return true;
    },
    take() {
      if (leaving.length === 0) [leaving, arriving] = [arriving.toReversed(), []];
      return leaving.pop();
    },
    size: () => arriving.length + leaving.length,
  };
}
