import { readFileSync } from "node:fs";

const { scripts } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));

/** What `npm start` gives to Node. */
export const startArgs: string[] = scripts.start
  .replace(/^.* exec node /, "")
  .replaceAll('"', "")
  .split(" ");

/** How `npm start` lets malloc work. */
export const startMemory = Object.fromEntries(
  [...scripts.start.matchAll(/\b(MALLOC_\w+)=(\d+)/g)].map(([, name, value]) => [name, value]),
) as Record<string, string>;

/** For a program that gets no other part of this environment. */
export const startEnv = { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE };

/** For a program that has nothing to render: a browser would be started and warmed at each of its starts. */
export const withoutBrowser = { BROWSER_PATH: "/nowhere" };
