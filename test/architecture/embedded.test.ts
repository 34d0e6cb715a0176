import { execFileSync } from "node:child_process";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");

test("without a cluster the clients of its servers are not loaded", () => {
  const script = `
    import { globSync } from "node:fs";
    import { createRequire } from "node:module";
    const { default: start } = await import(${JSON.stringify(join(root, "moleculer.config.ts"))});
    start();
    for (const room of globSync("services/*/*.service.ts"))
      (await import(${JSON.stringify(root)} + "/" + room)).default();
    const loaded = Object.keys(createRequire(import.meta.url).cache).flatMap(
      path => /node_modules\\/(nats|ioredis|redis|@redis|bullmq|mongodb)\\//.exec(path)?.[1] ?? [],
    );
    console.log(JSON.stringify([...new Set(loaded)]));
  `;
  const args = ["--no-warnings", "--input-type=module", "--eval", script];
  // What Node gives a child of its own; nothing of this process' settings.
  const env = { PATH: String(process.env.PATH), DATA_DIR: join(root, "node_modules/.cache/none") };
  expect(JSON.parse(execFileSync(process.execPath, args, { cwd: root, env, encoding: "utf8" }))).toEqual([]);
}, 60_000);
