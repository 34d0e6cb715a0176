import { readFileSync } from "node:fs";
import { join } from "node:path";
import { imports, part } from "../../test/architecture/product.ts";

const root = join(import.meta.dirname, "../..");
const manifestOf = (path: string) => JSON.parse(readFileSync(join(root, path), "utf8"));
const own = manifestOf("reader/package.json");

test("the reader's packages are those that it imports, in the versions of the service", () => {
  const { version, dependencies } = manifestOf("package.json");
  const packageOf = (target: string) =>
    target
      .split("/")
      .slice(0, target.startsWith("@") ? 2 : 1)
      .join("/");
  const imported = imports
    .filter(({ file, target }) => part(file) === "reader" && !/^(reader\/|node:)/.test(target))
    .map(({ target }) => packageOf(target));
  const names = [...new Set(imported)].sort();
  expect(own.dependencies).toEqual(Object.fromEntries(names.map(name => [name, dependencies[name]])));
  expect(own.version).toBe(version);
});
