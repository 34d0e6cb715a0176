/** `npm run docs`: writes docs/reference/configuration.md from the table of settings. */
import { writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { type Setting, sections } from "../../mixins/config/settings.ts";

const head = `# Configuration

Magpie reads its settings from environment variables. A variable that is set to nothing counts as unset. A setting that does not parse ends the start with one line that names it.

<!-- Written by \`npm run docs\` from mixins/config/settings. A test compares them: change the table, not this page. -->
`;

/** The page as it should be. */
export function configurationPage(): string {
  const parts = Object.entries(sections).map(([title, settings]) => {
    const rows = Object.entries(settings).map(([name, setting]) => row(name, setting));
    return [
      "",
      `## ${title}`,
      "",
      "| variable | default | value | meaning |",
      "|---|---|---|---|",
      ...rows,
    ].join("\n");
  });
  return `${head}${parts.join("\n")}\n`;
}

function row(name: string, { type, default: text, unset, doc }: Setting): string {
  const value = text ? `\`${text}\`` : (unset ?? "empty");
  return `| ${[`\`${name}\``, value, type.expected, doc].map(cell => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href)
  writeFileSync(new URL("../../docs/reference/configuration.md", import.meta.url), configurationPage());
