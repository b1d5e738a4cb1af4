/** The items that fit, and the others, each in the order of `items`. */
export function partition<Item>(items: Item[], fits: (item: Item) => boolean): [Item[], Item[]] {
  const groups = Map.groupBy(items, fits);
  return [groups.get(true) ?? [], groups.get(false) ?? []];
}
