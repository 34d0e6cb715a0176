import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

const folder = join(import.meta.dirname, "../../../sdk/typescript");

test.each(["events", "job", "lists", "methods", "retry", "webhook"])(
  "the client's own tests of %s pass with the program's packages",
  async name => {
    // The options of this process are for Jest, and a test runner within one would report to it.
    const { NODE_OPTIONS: _, NODE_TEST_CONTEXT: __, ...env } = process.env;
    const args = ["--no-warnings", "--test", "--test-reporter=tap", `test/${name}.test.ts`];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder, env });
    expect(stdout).toMatch(/^# pass [1-9]/m);
    expect(stdout).toMatch(/^# fail 0$/m);
  },
);
