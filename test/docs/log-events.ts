/** `npm run docs`: writes docs/reference/log-events.md from the table of log events. */
import { writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import type { LogEventRow } from "../../mixins/log/events/log-event.ts";
import { logEventSections } from "../../mixins/log/log-events.ts";

const head = `# Log events

Each line of the log has \`time\`, \`level\`, \`service\`, \`node\`, \`event\` and the fields of the event. All events of Magpie are below. Moleculer logs too: its lines have a sentence as \`event\`, and the part of it that logs as \`service\`.

A failure has one of two words: \`failed\` is work that was tried and did not succeed, and \`refused\` is what another party or a rule did not allow. The field \`error\` says why.

\`LOG_LEVEL\` sets the least level that is logged. The level \`fatal\` ends the process, \`error\` needs a person if it repeats, \`warn\` should be read, and \`info\` and \`debug\` tell what was done.

<!-- Written by \`npm run docs\` from mixins/log/events. A test compares them: change the table, not this page. -->
`;

/** The page as it should be. */
export function logEventsPage(): string {
  const parts = Object.entries(logEventSections).map(([title, rows]) =>
    [
      "",
      `## ${title}`,
      "",
      "| event | level | meaning | what to do |",
      "|---|---|---|---|",
      ...Object.entries(rows).map(row),
    ].join("\n"),
  );
  return `${head}${parts.join("\n")}\n`;
}

function row([name, { level, meaning, action }]: [string, LogEventRow]): string {
  const cells = [`\`${name}\``, `\`${level}\``, meaning, action];
  return `| ${cells.map(cell => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href)
  writeFileSync(new URL("../../docs/reference/log-events.md", import.meta.url), logEventsPage());
