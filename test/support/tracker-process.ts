import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** What is said of each source's polls: by whom, which end of it, and when it was. */
export interface Said {
  node: string;
  end: string;
  sid: string;
  at: bigint;
}

/** Starts a tracker of a cluster in a process of its own, which adds what it does to `said`. */
export async function startTracker(
  node: string,
  env: object,
  said: Said[],
  pollMs?: number,
): Promise<ChildProcess> {
  const path = new URL("../integration/tracker-node.process.ts", import.meta.url).pathname;
  const child = spawn(process.execPath, ["--no-warnings", path, JSON.stringify(env), String(pollMs ?? "")], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const lines = createInterface(child.stdout);
  await once(lines, "line");
  lines.on("line", line => {
    const [end = "", sid = "", at = ""] = line.split(" ");
    if (sid !== "") said.push({ node, end, sid, at: BigInt(at) });
  });
  return child;
}

/** Sources of which a poll began while another was under way. What other processes say may come late. */
export function overlaps(said: Said[]): string[] {
  const underWay = new Set<string>();
  const inOrder = said.toSorted((one, other) => Number(one.at - other.at));
  return inOrder.flatMap(({ end, sid }) => {
    const isWrong = end === "begins" && underWay.has(sid);
    if (end === "begins") underWay.add(sid);
    else underWay.delete(sid);
    return isWrong ? [sid] : [];
  });
}
