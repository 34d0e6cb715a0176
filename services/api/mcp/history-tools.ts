import type {
  Check,
  Found,
  LineDiff,
  SourceDetail,
  Version,
  VersionContent,
} from "../../contracts/history.contract.ts";
import { markedLine } from "../../domain/history/marked-line.ts";
import { reads, type Tool } from "./tools.ts";

/* Tools for what sources said. */

export const sourceTool: Tool = {
  name: "get_source",
  title: "See how a watch goes",
  description:
    "Shows a tracked source with its options, latest check, values and muted lines. `id` is the `iid` of `list_sources`.",
  hints: { ...reads, openWorldHint: false },
  text: ({ data }: { data: SourceDetail }) => ({
    facts: `${data.versions} versions are kept. Next check: ${data.due_at}.`,
    content: JSON.stringify(data, null, 1),
  }),
};

export const checksTool: Tool = {
  name: "get_checks",
  title: "See why a watch fired or not",
  description:
    "Lists the checks of a tracked source, the latest first: each with its outcome and the reason why it made an event, or none.",
  hints: { ...reads, openWorldHint: false },
  text: ({ data, next_cursor }: { data: Check[]; next_cursor: string | null }) => ({
    facts: `${data.length} runs of checks.`,
    content: data.map(checkText).join("\n"),
    next: next_cursor,
  }),
};

export const versionsTool: Tool = {
  name: "get_versions",
  title: "Read what a source said",
  description:
    "Lists the versions of a tracked page or of a feed's items, the latest first; with `at` the one of that time. With " +
    "`version` it returns the text of that version.",
  shows: ["id", "version", "at", "item", "all"],
  hints: { ...reads, openWorldHint: false },
  text: (answer: { data: Version[]; next_cursor: string | null } | { data: VersionContent }) =>
    "next_cursor" in answer
      ? {
          facts: `${answer.data.length} versions.`,
          content: answer.data.map(versionText).join("\n"),
          next: answer.next_cursor,
        }
      : {
          facts: `The version of ${answer.data.at}.`,
          content: `${versionText(answer.data)}\n\n${answer.data.markdown}`,
        },
};

export const diffTool: Tool = {
  name: "diff",
  title: "Compare two versions",
  description:
    "Shows how two versions of a tracked source differ; by default the latest and the one before it. In a changed line `[-…-]` " +
    "was removed and `{+…+}` added.",
  shows: ["id", "from", "to"],
  hints: { ...reads, openWorldHint: false },
  text: ({ data }: { data: LineDiff }) => ({
    facts: `${data.added.length} lines added, ${data.removed.length} removed, ${data.moved.length} moved.`,
    content: [...data.lines.map(markedLine), ...data.moved].join("\n"),
  }),
};

export const searchTool: Tool = {
  name: "search",
  title: "Search what the sources said",
  description:
    "Finds words in the past of the tracked sources, the latest first, with a passage around them. `q` takes words, a " +
    '"phrase", prefix*, -without, source:, tag:, after:2026-03-01 and before:.',
  hints: { ...reads, openWorldHint: false },
  text: ({ data, next_cursor }: { data: Found[]; next_cursor: string | null }) => ({
    facts: `${data.length} passages.`,
    content: data.map(found => JSON.stringify(found)).join("\n"),
    next: next_cursor,
  }),
};

function checkText({ at, since, checks, outcome, reason, version, event_id }: Check): string {
  const when = checks === 1 ? at : `${checks} from ${since} to ${at}`;
  const found = [version && `version ${version}`, event_id && `event ${event_id}`].filter(Boolean);
  return [`${when}: ${outcome}. ${reason}`, ...found].join("; ");
}

function versionText({ id, at, outcome, title, item, added, removed, event_id }: Version): string {
  const found = [item && `item ${item}`, event_id && `event ${event_id}`].filter(Boolean);
  return [`${id}: ${at} ${outcome}, ${added} lines added, ${removed} removed; ${title}`, ...found].join("; ");
}
