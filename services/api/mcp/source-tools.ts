import type { MessengerMessage } from "../../contracts/social.ts";
import type { Source } from "../../contracts/source.ts";
import type { TrackedSource } from "../../contracts/source-lists.contract.ts";
import type { Tracked, TrackQueued } from "../../contracts/tracker.contract.ts";
import type { EventPage } from "../streams/read-events.ts";
import { reads, type Tool } from "./tool.ts";

export const trackTool: Tool = {
  name: "track",
  title: "Track a source",
  description:
    "Begins to watch a page, a feed, or an account, channel or server of a network for what is new. `read_events` has it. " +
    "For a page or a feed `source` is `web` and `sid` its URL.",
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  text: (answer: Tracked | TrackQueued) =>
    "data" in answer
      ? { facts: answer.message, content: sourceText(answer.data) }
      : { facts: `${answer.message} Job id: ${answer.jobId}.` },
};

export const untrackTool: Tool = {
  name: "untrack",
  title: "Stop tracking a source",
  description:
    "Stops watching a source. Give `iid`, the id that `list_sources` shows, or `eid`, its external id.",
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
  text: ({ message, data }: Tracked) => ({ facts: message, content: sourceText(data) }),
};

export const listSourcesTool: Tool = {
  name: "list_sources",
  title: "List tracked sources",
  description: "Lists what is tracked, the latest first, with the state of its polling.",
  hints: { ...reads, openWorldHint: false },
  text: ({ data, next_cursor }: { data: TrackedSource[]; next_cursor: string | null }) => ({
    facts: `${data.length} sources.`,
    content: data.map(trackedText).join("\n"),
    next: next_cursor,
  }),
};

export const readEventsTool: Tool = {
  name: "read_events",
  title: "Read what is new",
  description:
    "Returns what the tracked sources have published. Keep `next_after` of the answer and send it as `after` the next " +
    "time: each event comes once. With `wait_seconds` it waits for the next event where there is none.",
  hints: { ...reads, openWorldHint: false },
  text: ({ data, next_after, more }: EventPage) => ({
    facts: `${data.length} events. next_after: ${next_after}. ${more ? "There are more." : "These are all so far."}`,
    content: data.map(event => JSON.stringify(event)).join("\n"),
  }),
};

export const searchMessagesTool: Tool = {
  name: "search_messages",
  title: "Search messages",
  description: "Searches the public messages of the messenger for a text, the newest first.",
  hints: { ...reads, openWorldHint: true },
  text: ({ messages, total }: { messages: MessengerMessage[]; total: number }) => ({
    facts: `${messages.length} of ${total} messages.`,
    content: messages.map(message => JSON.stringify(message)).join("\n"),
  }),
};

function sourceText({ id, source, name, username, externalId }: Source): string {
  return `iid ${id}: ${source} ${name} (${username}), ${externalId}`;
}

function trackedText({ health, problem, last_event_at, ...source }: TrackedSource): string {
  return `${sourceText(source)}; ${health}; last event ${last_event_at ?? "none"}${problem ? `; ${problem}` : ""}`;
}
