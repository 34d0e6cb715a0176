/** Reads the first items of a list that is answered in parts. */
export async function first<Item>(count: number, items: AsyncGenerator<Item, void, void>): Promise<Item[]> {
  const found: Item[] = [];
  if (count < 1) return found;
  for await (const item of items) if (found.push(item) >= count) break;
  return found;
}
