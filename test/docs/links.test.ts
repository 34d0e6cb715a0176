import { existsSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { page, pages, proseOf, repositoryFiles, root } from "./pages.ts";

const anchors = new Map([...pages].map(([path, text]) => [path, anchorsOf(text)]));

test.each([...pages.keys()])("every internal link of %s leads somewhere", path => {
  const broken = linksOf(page(path)).filter(link => !leadsSomewhere(path, link));
  expect(broken).toEqual([]);
});

test("every page of docs/ is reached from the README", () => {
  const reached = new Set<string>();
  const follow = (path: string): void => {
    if (reached.has(path) || !pages.has(path)) return;
    reached.add(path);
    for (const link of linksOf(page(path))) follow(targetOf(path, link).path);
  };
  follow("README.md");
  expect([...pages.keys()].filter(path => !reached.has(path))).toEqual([]);
});

test.each([...pages.keys()])("every path of the repository that %s names exists", path => {
  const named = [
    ...proseOf(page(path)).matchAll(/`((?:services|mixins|cli|test|k8s|docs|examples|\.ci)\/[^`<*{ ]*)`/g),
  ];
  const missing = named.map(([, name = ""]) => name).filter(name => !isInRepository(name));
  expect(missing).toEqual([]);
});

test.each(["README.md", "CONTRIBUTING.md"])(
  "every source file that %s names is one of the repository",
  path => {
    const named = [...proseOf(page(path)).matchAll(/`([\w./-]+\.(?:ts|mjs))`/g)].map(([, name = ""]) => name);
    const missing = named.filter(
      name => !repositoryFiles.some(file => file === name || file.endsWith(`/${name}`)),
    );
    expect(missing).toEqual([]);
  },
);

/** The guide shows HTML as text. */
test.each([...pages.keys()].filter(path => path.startsWith("docs/")))(
  "%s has its pictures as Markdown",
  path => {
    expect(proseOf(page(path)).match(/<img\b.*/g)).toBeNull();
  },
);

test("the README is short", () => {
  const text = page("README.md");
  expect(text.split("\n").length).toBeLessThanOrEqual(250);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(14 * 1024);
});

function linksOf(text: string): string[] {
  const links = [...proseOf(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
  return links.filter(link => !/^[a-z]+:/.test(link));
}

function leadsSomewhere(path: string, link: string): boolean {
  const target = targetOf(path, link);
  if (!existsSync(join(root, target.path))) return false;
  return target.anchor === "" || (anchors.get(target.path)?.has(target.anchor) ?? false);
}

function targetOf(path: string, link: string): { path: string; anchor: string } {
  const [file = "", anchor = ""] = link.split("#", 2);
  return { path: file === "" ? path : normalize(join(dirname(path), file)), anchor };
}

/** As GitHub makes them of headings. */
function anchorsOf(text: string): Set<string> {
  const headings = [...proseOf(text).matchAll(/^#{1,6} (.*)$/gm)].map(([, heading = ""]) => heading);
  return new Set(
    headings.map(heading =>
      heading
        .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\- _]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );
}

function isInRepository(name: string): boolean {
  return repositoryFiles.some(file => file === name || file.startsWith(name.replace(/\/?$/, "/")));
}
