import { readFileSync } from "node:fs";

const { scripts } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));

/** What `npm start` gives to Node. */
export const startArgs: string[] = scripts.start
  .replace(/^.* exec node /, "")
  .replaceAll('"', "")
  .split(" ");
