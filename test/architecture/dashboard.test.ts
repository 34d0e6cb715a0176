import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { importMap } from "../../services/api/dashboard/files.ts";
import { circlesIn } from "./circles.ts";
import { importsOf, offences, part } from "./product.ts";

const root = join(import.meta.dirname, "../..");
const files = globSync("dashboard/**/*.ts", { cwd: root });
const sources = new Map(files.map(file => [file, readFileSync(join(root, file), "utf8")]));
const imports = files.flatMap(file => importsOf(file, sources.get(file) ?? ""));

/** The files of the dashboard in whose text a pattern is found, but for those where it may be. */
const filesWith = (pattern: RegExp, ...allowed: string[]) =>
  files.filter(file => !allowed.includes(file) && pattern.test(sources.get(file) ?? ""));

test("there is something to judge", () => {
  expect(files.length).toBeGreaterThan(30);
  expect(imports.length).toBeGreaterThan(100);
});

/** Packages, and files of the client library as paths from the root of the service. */
const mapped = Object.keys(JSON.parse(importMap).imports);
const ofClient = mapped.filter(name => name.startsWith("/")).map(name => name.slice(1));
const importsOfClient = ofClient.flatMap(file => importsOf(file, readFileSync(join(root, file), "utf8")));

test("the browser's code knows itself, what the import map names, and types of the contracts", () => {
  const allowed = ({ target, kind }: (typeof imports)[number]) =>
    target.startsWith("dashboard/")
      ? files.includes(target)
      : mapped.includes(target) ||
        ofClient.includes(target) ||
        (kind === "type" && (part(target) === "contracts" || target === "preact"));
  expect(offences(allowed, [...imports, ...importsOfClient])).toEqual([]);
});

test("what the import map names is imported", () => {
  const named = new Set([...imports, ...importsOfClient].map(({ target }) => target));
  const ofPackages = ["@preact/signals-core"];
  const unused = [...mapped.filter(name => !name.startsWith("/")), ...ofClient].filter(
    name => !named.has(name) && !ofPackages.includes(name),
  );
  expect(unused).toEqual([]);
});

test("no two files of the dashboard need each other", () => {
  const edges = imports.filter(({ target }) => target.startsWith("dashboard/"));
  expect(circlesIn(edges).map(circle => circle.join(", "))).toEqual([]);
});

test("no text becomes markup or code", () => {
  const sinks =
    /innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML|document\.write|\beval\(|new Function|DOMParser|createContextualFragment|srcdoc|trustedTypes/;
  expect(filesWith(sinks)).toEqual([]);
});

test("the API is asked in one file, which sends what a cookie needs", () => {
  const asks = /(?<![.\w])fetch\(|XMLHttpRequest|\bEventSource\b|WebSocket/;
  // Lines to copy name fetch, too.
  expect(filesWith(asks, "dashboard/shell/client.ts", "dashboard/playground/request-lines.ts")).toEqual([]);
});

test("a file is read in one sitting", () => {
  const long = files.filter(file => (sources.get(file) ?? "").split("\n").length > 260);
  expect(long).toEqual([]);
});

test("the pages of parts and shell do not know single pages", () => {
  const isBelow = (file: string) => /^dashboard\/(parts|shell)\//.test(file);
  const isPage = (file: string) =>
    /^dashboard\/(pages|pages\.ts|playground|events|jobs|sources|webhook)\b/.test(file);
  const allowed = ({ file, target }: (typeof imports)[number]) =>
    !isBelow(file) || !isPage(target) || file === "dashboard/shell/app.ts";
  expect(offences(allowed, imports)).toEqual([]);
});
