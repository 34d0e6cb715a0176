import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { startEnv } from "../support/start-args.ts";

const root = join(import.meta.dirname, "../..");

test("without a cluster the clients of its servers are not loaded", () => {
  const script = `
    import { globSync } from "node:fs";
    import { createRequire } from "node:module";
    const { default: start } = await import(${JSON.stringify(join(root, "moleculer.config.ts"))});
    start();
    for (const service of globSync("services/*/*.service.ts"))
      (await import(${JSON.stringify(root)} + "/" + service)).default();
    const loaded = Object.keys(createRequire(import.meta.url).cache).flatMap(
      path => /node_modules\\/(nats|ioredis|redis|@redis|bullmq|mongodb)\\//.exec(path)?.[1] ?? [],
    );
    console.log(JSON.stringify([...new Set(loaded)]));
  `;
  const args = ["--no-warnings", "--input-type=module", "--eval", script];
  // Nothing of this process' settings.
  const env = { ...startEnv, DATA_DIR: join(root, "node_modules/.cache/none") };
  expect(JSON.parse(execFileSync(process.execPath, args, { cwd: root, env, encoding: "utf8" }))).toEqual([]);
});

test.each([
  ["serves language models", ["@modelcontextprotocol", "@hono", "hono", "zod"]],
  ["drives browsers", ["puppeteer", "puppeteer-cluster", "proxy-chain"]],
  ["recognises advertisements", ["@ghostery"]],
  ["reads and writes feeds", ["feedsmith"]],
  ["speaks with networks", ["@mtcute", "@discordjs", "@atcute", "masto", "@xdevplatform"]],
  ["reads documents", ["mammoth", "unpdf", "papaparse"]],
  ["sends mail", ["nodemailer"]],
])("what %s is loaded when it is needed, not at the start", (_, packages) => {
  const script = `
    import { globSync } from "node:fs";
    import { registerHooks } from "node:module";
    const loaded = new Set();
    registerHooks({
      load(url, context, next) {
        loaded.add(/node_modules\\/(${packages.join("|")})\\//.exec(url)?.[1]);
        return next(url, context);
      },
    });
    const { default: start } = await import(${JSON.stringify(join(root, "moleculer.config.ts"))});
    start();
    for (const service of globSync("services/*/*.service.ts"))
      (await import(${JSON.stringify(root)} + "/" + service)).default();
    console.log(JSON.stringify([...loaded].filter(Boolean)));
  `;
  const args = ["--no-warnings", "--input-type=module", "--eval", script];
  const env = { ...startEnv, DATA_DIR: join(root, "node_modules/.cache/none") };
  expect(JSON.parse(execFileSync(process.execPath, args, { cwd: root, env, encoding: "utf8" }))).toEqual([]);
});
