import { execFile } from "node:child_process";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Site } from "../support/http-site.ts";
import { type Block, blocksOf, page, pages } from "./pages.ts";
import { type Service, startService } from "./service.ts";
import { missingIn } from "./shown.ts";
import { startExampleSite } from "./site.ts";

/**
 * Pages with blocks of shell that a reader pastes: marked as `sh runnable`, one after the other in one shell. Between those of
 * a tutorial something happens: each has a test in `tutorials`.
 */
const runnable = [...pages.keys()].filter(
  path => !path.startsWith("docs/tutorials/") && blocksOf(page(path)).some(isRunnable),
);

let service: Service;
let site: Site;
beforeAll(async () => {
  [service, site] = await Promise.all([startService(), startExampleSite()]);
});
afterAll(async () => {
  await service.stop();
  await site.close();
});

test("there are pages to run", () => {
  expect(runnable).toEqual(expect.arrayContaining(["README.md", "docs/guides/quickstart.md"]));
  expect(runnable.length).toBeGreaterThan(7);
});

test.each(runnable)("what %s says to run succeeds, and answers what it shows", async path => {
  const blocks = blocksOf(page(path));
  const run = join(service.folder, path.replaceAll("/", "-"));
  await mkdir(join(run, "bin"), { recursive: true });
  await Promise.all([standIn(run, "curl"), standIn(run, "magpie")]);
  const script = blocks.flatMap((block, n) =>
    isRunnable(block) ? [block.text, `[ ! -e "$RUN/answer" ] || mv "$RUN/answer" "$RUN/answer-${n}"`] : [],
  );
  await promisify(execFile)("sh", ["-euc", script.join("\n")], {
    cwd: service.folder,
    env: {
      PATH: `${join(run, "bin")}:${process.env.PATH}`,
      SERVICE: service.url,
      SITE: site.url,
      RUN: run,
      MAGPIE_API_KEY: service.apiKey,
    },
  });
  const statuses = (await readFile(join(run, "statuses"), "utf8")).trim().split("\n");
  expect(statuses.filter(line => !/^2\d\d /.test(line))).toEqual([]);
  for (const [n, block] of blocks.entries()) {
    const shown = blocks[n + 1];
    if (!isRunnable(block) || shown?.info !== "json") continue;
    const answer = JSON.parse(await readFile(join(run, `answer-${n}`), "utf8"));
    expect({ line: shown.line, missing: missingIn(answer, JSON.parse(shown.text)) }).toEqual({
      line: shown.line,
      missing: [],
    });
  }
});

/** What does the work of a command in the blocks. */
async function standIn(run: string, name: string): Promise<void> {
  const file = join(run, "bin", name);
  const program = join(import.meta.dirname, `${name}.mjs`);
  await writeFile(file, `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
  await chmod(file, 0o755);
}

function isRunnable({ info }: Block): boolean {
  return info === "sh runnable";
}
