import type { Cluster } from "./start-cluster.ts";

/** A line for each server and each node: what it is, its process, its name on the bus, and where it is reached. */
export function whoIsWhere({ servers, nodes }: Cluster): string[] {
  const rows = [
    ["service", "pid", "node", "reached at", "health at"],
    ...nodes.map(({ service, pid, node = "", address = "the bus", health = "" }) => [
      ...[service, String(pid), node],
      ...[address, health],
    ]),
    ...Object.entries(servers).map(([name, { pid, url }]) => [
      name,
      pid ? String(pid) : "",
      "",
      place(url),
      "",
    ]),
  ];
  const widths = [0, 1, 2, 3].map(column => Math.max(...rows.map(row => row[column]?.length ?? 0)));
  return rows.map(row =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

/** Without what may be a password. */
function place(url: string): string {
  return url.replace(/\/\/[^/]*@/, "//");
}
