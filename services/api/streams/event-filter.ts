import type { WrittenEvent } from "../../../mixins/event-log/event-log.ts";
import type { Event, EventType } from "../../contracts/events.ts";
import { rule } from "../../contracts/schema.ts";
import { sourceKinds } from "../../contracts/source.ts";
import { isDismissed } from "../../domain/goal/dismissed.ts";

/** Which events a reader wants: those of any of the types, and of any of the sources, and under any of the tags. */
export interface EventFilter {
  types?: readonly EventType[];
  /** Kinds, in any case, or ids of sources. */
  sources?: readonly string[];
  /** The sources that have the tags. */
  tagged?: ReadonlySet<string>;
  /** Without those that a judge has dismissed. */
  meaningful?: boolean;
}

const kinds = sourceKinds.map(kind => `\`${kind}\``).join(", ");

/** The parameter that names a source, or a kind of sources. */
export const sourceOrKind = rule({
  type: "string",
  min: 1,
  max: 64,
  description: `Only events of sources of this kind (${kinds}), or of the source with this id.`,
});

/** Whether an event passes. One without a source passes no filter by sources or tags. */
export function passes(event: WrittenEvent, { types, sources, tagged, meaningful }: EventFilter): boolean {
  const { type, sourceId } = event;
  if (types && !types.includes(type)) return false;
  if (tagged && (sourceId === null || !tagged.has(sourceId))) return false;
  if (sources !== undefined && !isOf(event, sources)) return false;
  return !meaningful || !isDismissed(event.json);
}

function isOf({ sourceId, json }: WrittenEvent, sources: readonly string[]): boolean {
  if (sourceId !== null && sources.includes(sourceId)) return true;
  if (!sources.some(each => isKind(each.toLowerCase()))) return false;
  const { source } = (JSON.parse(json) as Event).data;
  return source !== null && sources.some(each => each.toUpperCase() === source.source);
}

function isKind(word: string): boolean {
  return (sourceKinds as readonly string[]).includes(word);
}
