/** Fills a typed array from a list: `from` with a function does the same ten times slower. */
export function fillColumn<Column extends Float64Array | Int32Array | Uint32Array, Item>(
  column: Column,
  items: ArrayLike<Item>,
  valueOf: (item: Item, index: number) => number,
): Column {
  for (let index = 0; index < column.length; index += 1) column[index] = valueOf(items[index]!, index);
  return column;
}
