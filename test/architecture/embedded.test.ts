import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { startEnv } from "../support/start-args.ts";

const root = join(import.meta.dirname, "../..");

/** The packages whose files a program with all services loads at its start, without a cluster. */
let loaded: string[];

beforeAll(() => {
  const script = `
    import { globSync } from "node:fs";
    import { createRequire, registerHooks } from "node:module";
    const loaded = new Set();
    registerHooks({
      load(url, context, next) {
        loaded.add(url);
        return next(url, context);
      },
    });
    const { default: start } = await import(${JSON.stringify(join(root, "moleculer.config.ts"))});
    start();
    for (const service of globSync("services/*/*.service.ts"))
      (await import(${JSON.stringify(root)} + "/" + service)).default();
    for (const path of Object.keys(createRequire(import.meta.url).cache)) loaded.add(path);
    console.log(JSON.stringify([...loaded]));
  `;
  const args = ["--no-warnings", "--input-type=module", "--eval", script];
  // Nothing of this process' settings.
  const env = { ...startEnv, DATA_DIR: join(root, "node_modules/.cache/none") };
  const paths: string[] = JSON.parse(
    execFileSync(process.execPath, args, { cwd: root, env, encoding: "utf8" }),
  );
  // As one package has another in its folder, a path may name several.
  loaded = [...new Set(paths.flatMap(path => path.split("/node_modules/").slice(1).map(packageOf)))];
});

function packageOf(path: string): string {
  return path
    .split("/")
    .slice(0, path.startsWith("@") ? 2 : 1)
    .join("/");
}

/** Those of a scope as well, where a name is that of one. */
const among = (names: readonly string[]) =>
  loaded.filter(name => names.includes(name) || names.includes(name.split("/")[0] ?? ""));

test("what is loaded is seen", () => {
  expect(loaded).toEqual(expect.arrayContaining(["moleculer", "undici"]));
});

test.each([
  ["a cluster's clients", ["nats", "ioredis", "redis", "@redis", "bullmq", "mongodb"]],
  ["what serves language models", ["@modelcontextprotocol", "@hono", "hono", "zod"]],
  ["what drives browsers", ["puppeteer", "puppeteer-cluster", "proxy-chain"]],
  ["what recognises advertisements", ["@ghostery"]],
  ["what reads and writes feeds", ["feedsmith"]],
  ["what speaks with networks", ["@mtcute", "@discordjs", "@atcute", "masto", "@xdevplatform"]],
  ["what reads documents", ["mammoth", "unpdf", "papaparse"]],
  ["what sends mail", ["nodemailer"]],
  ["what writes to destinations", ["pg", "rabbitmq-client"]],
])("%s: loaded when it is needed, not at the start", (_, packages) => {
  expect(among(packages)).toEqual([]);
});
