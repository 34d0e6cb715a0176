/** `npm run docs`: writes the codes of refused fields into docs/reference/errors.md, from their table. */
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { detailCodes } from "../../services/domain/errors/detail-codes.ts";

const url = new URL("../../docs/reference/errors.md", import.meta.url);
const [begin, end] = ["<!-- details -->", "<!-- /details -->"];

/** The page with the table as it should be. */
export function errorsPage(): string {
  const text = readFileSync(url, "utf8");
  const rows = Object.entries(detailCodes).map(([code, meaning]) => `| \`${code}\` | ${meaning} |`);
  const table = ["| code of a field | meaning |", "|---|---|", ...rows].join("\n");
  return `${text.slice(0, text.indexOf(begin))}${begin}\n${table}\n${text.slice(text.indexOf(end))}`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) writeFileSync(url, errorsPage());
