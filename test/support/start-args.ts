/** What `npm start` gives to Node. */
export const startArgs = ["bin/magpie.js", "serve"];

/** For a program that gets no other part of this environment. */
export const startEnv = { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE };

/** For a program that has nothing to render: a browser would be started and warmed at each of its starts. */
export const withoutBrowser = { BROWSER_PATH: "/nowhere" };
