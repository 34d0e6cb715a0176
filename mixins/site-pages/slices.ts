/** At least one slice, so that a step of nothing is checked, too. */
export function slicesOf<Item>(items: readonly Item[], size: number): Item[][] {
  const count = Math.max(1, Math.ceil(items.length / size));
  return Array.from({ length: count }, (_, at) => items.slice(at * size, (at + 1) * size));
}
