import type { Cluster } from "./start-cluster.ts";

/** A line for each server and each node: what it is, its process, its name on the bus, and where it is reached. */
export function whoIsWhere({ servers, rooms }: Cluster): string[] {
  const rows = [
    ["room", "pid", "node", "reached at", "health at"],
    ...rooms.map(({ room, pid, node = "", address = "the bus", health = "" }) => [
      ...[room, String(pid), node],
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
