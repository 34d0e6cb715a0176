import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

interface Notice {
  names: string[];
  text: string;
}

const standardTexts = join(import.meta.dirname, "licences");

/** What is inside of packages that do not say so in a file. */
const inside: Record<string, { name: string; author: string; licence: string }> = {
  unpdf: { name: "PDF.js", author: "Mozilla Foundation", licence: "Apache-2.0" },
};

const licenceFile = /^(licen[cs]e|copying|notice)([-.].*)?$/i;

/** The licences of the packages in these folders, each text once. Fails where one may not be passed on with ours. */
export function notices(folders: string[]): string {
  const all = folders.filter(folder => existsSync(join(folder, "package.json"))).flatMap(noticesOf);
  const byText = Map.groupBy(all, ({ text }) => text);
  const blocks = [...byText].map(([text, same]) => ({ names: same.flatMap(({ names }) => names), text }));
  const sorted = blocks.toSorted((a, b) => (a.names[0] ?? "").localeCompare(b.names[0] ?? ""));
  const rule = "-".repeat(80);
  return [
    "Magpie contains these packages. Each is under its own licence.",
    ...sorted.map(({ names, text }) => `${[...new Set(names)].toSorted().join("\n")}\n\n${text}`),
  ].join(`\n\n${rule}\n\n`);
}

function noticesOf(folder: string): Notice[] {
  const { name, version, license, licenses, author } = JSON.parse(
    readFileSync(join(folder, "package.json"), "utf8"),
  );
  const terms = [license ?? licenses ?? []].flat().map(each => each.type ?? each);
  const words = terms.join(" OR ");
  // A choice that has another licence is no such case.
  if (terms.every(term => /GPL/.test(term) && !/ OR /.test(term)) && terms.length > 0)
    throw new Error(`${name} is under ${words}, so it cannot be bundled`);
  const files = readdirSync(folder).filter(file => licenceFile.test(file));
  const texts = files.toSorted().map(file => readFileSync(join(folder, file), "utf8").trim());
  const text = texts.join("\n\n") || standardText(name, words, author?.name ?? author);
  const own = { names: [`${name} ${version}: ${words}`], text };
  const part = inside[name];
  if (part === undefined) return [own];
  const names = [`${part.name}, in ${name} ${version}: ${part.licence}`];
  return [own, { names, text: standardText(part.name, part.licence, part.author) }];
}

/** The text of a licence, for a package that only names it. */
function standardText(name: string, licence: string, author: string | undefined): string {
  const path = join(standardTexts, `${licence}.txt`);
  if (licence === "" || !existsSync(path))
    throw new Error(
      `${name} has no text of its licence, and tools/pack/licences has none of "${licence}", so it cannot be bundled`,
    );
  return `Copyright (c) ${author ?? `the authors of ${name}`}\n\n${readFileSync(path, "utf8").trimEnd()}`;
}
