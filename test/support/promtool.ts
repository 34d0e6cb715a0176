import { spawnSync } from "node:child_process";
import { needs } from "./needs.ts";

const isThere = spawnSync("promtool", ["--version"]).status === 0;

/** `describe` and `test` of what promtool judges. Not every system has a package of it: it may be missing everywhere. */
export const withPromtool = needs(isThere, "promtool (Debian: apt-get install prometheus)", {
  isOptional: true,
});
