import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { blocksOf, page, root } from "../docs/pages.ts";
import { removeFolder } from "../support/folders.ts";
import { startMongo, withMongo } from "../support/mongo.ts";
import { startEnv, withoutBrowser } from "../support/start-args.ts";
import { until } from "../support/until.ts";

const mongo = await startMongo();
afterAll(() => mongo.stop());

/** What the guide says to run, a line for each command. */
const commands = blocksOf(page("docs/operations/more-cores.md"))
  .filter(({ info }) => info === "sh")
  .flatMap(({ text }) => text.trim().split("\n"));
const commandOf = (start: string): string => commands.find(each => each.startsWith(start)) ?? "";

let folder: string;
let child: ChildProcess | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "magpie-more-cores-"));
});
afterEach(async () => {
  if (child?.exitCode === null) {
    child.kill("SIGKILL");
    await once(child, "exit");
  }
  await removeFolder(folder);
});

withMongo(mongo).test("the cluster that the guide starts has as many nodes as it says", async () => {
  const [program = "", ...args] = commandOf("npm run cluster").split(" ");
  let output = "";
  child = spawn(program, args, {
    cwd: root,
    env: {
      ...startEnv,
      ...withoutBrowser,
      ...{ HOME: folder, DATA_DIR: folder, PORT: "0", LOG_FORMAT: "json", MONGO_URL: mongo.url },
    },
  });
  const exit = once(child, "exit");
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", text => {
      output += text;
    });
  await until(`a gateway listens\n${output}`, () => /Magpie listens on \S+,/.test(output));
  const joined = (service: string) =>
    new Set(
      [...output.matchAll(new RegExp(`^(${service}-\\d) \\| .*"node.joined"`, "gm"))].map(([, n]) => n),
    );
  expect([...joined("scraper")].sort()).toEqual(["scraper-1", "scraper-2"]);
  expect([...joined("webhook-dispatcher")].sort()).toEqual(["webhook-dispatcher-1", "webhook-dispatcher-2"]);
  expect(joined("api").size).toBe(1);

  child.kill("SIGTERM");
  expect(await exit).toEqual([0, null]);
});

test("the services that the guide scales with Compose are those of its file, and publish no port", () => {
  const { services } = parse(readFileSync(join(root, "compose.yaml"), "utf8"), { merge: true });
  const scaled = [...commandOf("docker compose").matchAll(/--scale ([a-z-]+)=\d/g)].map(
    ([, name = ""]) => name,
  );
  expect(scaled).toEqual(["scraper", "webhook-dispatcher"]);
  for (const name of scaled) {
    expect(services[name].profiles).toEqual(["cluster"]);
    expect([name, services[name].ports, services[name].container_name]).toEqual([name, undefined, undefined]);
  }
});
