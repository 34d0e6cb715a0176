/** The groups of nodes that reach each other (strongly connected components, Tarjan 1972), each sorted. */
export function circlesIn(edges: readonly { file: string; target: string }[]): string[][] {
  const next = new Map<string, string[]>();
  for (const { file, target } of edges) next.set(file, [...(next.get(file) ?? []), target]);
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const circles: string[][] = [];
  const visit = (node: string): number => {
    const at = order.size;
    order.set(node, at);
    open.push(node);
    let low = at;
    for (const other of next.get(node) ?? []) {
      if (!order.has(other)) low = Math.min(low, visit(other));
      else if (open.includes(other)) low = Math.min(low, lowest.get(other) ?? order.get(other) ?? low);
    }
    lowest.set(node, low);
    if (low === at) {
      const circle = open.splice(open.indexOf(node));
      if (circle.length > 1 || next.get(node)?.includes(node)) circles.push(circle.sort());
    }
    return low;
  };
  for (const node of next.keys()) if (!order.has(node)) visit(node);
  return circles;
}
