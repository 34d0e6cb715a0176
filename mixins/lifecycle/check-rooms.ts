import { globSync } from "node:fs";
import { dirname } from "node:path";
import { ConfigError } from "../config/config-error.ts";

/** Refuses rooms that are not there: Moleculer's runner would start without them. Patterns and paths are its own matter. */
export function checkRooms(named: readonly string[], services: string): void {
  const rooms = globSync("*/*.service.ts", { cwd: services }).map(dirname).sort();
  const unknown = named.find(name => !rooms.includes(name) && !/[*?{[!/.]/.test(name));
  if (unknown !== undefined)
    throw new ConfigError("SERVICES", `there is no room "${unknown}"; there are ${rooms.join(", ")}`);
}
