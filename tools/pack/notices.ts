import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

interface Notice {
  names: string[];
  text: string;
}

const licenceFile = /^(licen[cs]e|copying|notice)([-.].*)?$/i;

/** The licences of the packages in these folders, each text once. Fails where one may not be passed on with ours. */
export function notices(folders: string[]): string {
  const all = folders.filter(folder => existsSync(join(folder, "package.json"))).map(noticeOf);
  const byText = Map.groupBy(all, ({ text }) => text);
  const blocks = [...byText].map(([text, same]) => ({ names: same.flatMap(({ names }) => names), text }));
  const sorted = blocks.toSorted((a, b) => (a.names[0] ?? "").localeCompare(b.names[0] ?? ""));
  const rule = "-".repeat(80);
  return [
    "Magpie contains these packages. Each is under its own licence.",
    ...sorted.map(({ names, text }) => `${[...new Set(names)].toSorted().join("\n")}\n\n${text}`),
  ].join(`\n\n${rule}\n\n`);
}

function noticeOf(folder: string): Notice {
  const { name, version, license, licenses } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const terms = [license ?? licenses ?? []].flat().map(each => each.type ?? each);
  const words = terms.join(" OR ");
  // A choice that has another licence is no such case.
  if (terms.every(term => /GPL/.test(term) && !/ OR /.test(term)) && terms.length > 0)
    throw new Error(`${name} is under ${words}, so it cannot be bundled`);
  const files = readdirSync(folder).filter(file => licenceFile.test(file));
  const texts = files.toSorted().map(file => readFileSync(join(folder, file), "utf8").trim());
  if (texts.length === 0 && words === "")
    throw new Error(`${name} names no licence, so it cannot be bundled`);
  return { names: [`${name} ${version}: ${words}`], text: texts.join("\n\n") || `Licence: ${words}` };
}
