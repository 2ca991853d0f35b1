/**
 * Starts the work on each item in the order of the items, at most `slots` of it at once, while `goesOn`.
 * Resolves when everything that was started has ended. @returns how many were started
 */
export async function startInTurn<Item>(
  items: readonly Item[],
  { slots, goesOn }: { readonly slots: number; readonly goesOn: () => boolean },
  work: (item: Item) => Promise<void>,
): Promise<number> {
  let started = 0;
  const lane = async (): Promise<void> => {
    for (let item = items[started]; item !== undefined && goesOn(); item = items[started]) {
      started += 1;
      await work(item);
    }
  };
  await Promise.all(Array.from({ length: Math.min(slots, items.length) }, lane));
  return started;
}
