import type { TaggedSources } from "../../../mixins/clients/tagged-sources.ts";
import type { WrittenEvent } from "../../../mixins/event-log/event-log.ts";
import { isOfEndpoint } from "../../contracts/events.ts";
import { type EventFilter, isErased, isEverything, isWanted } from "../../domain/delivery/event-filter.ts";
import { keyOf } from "../../domain/delivery/lane.ts";
import type { Expressions } from "../expressions/expressions.ts";
import { hasProblem } from "../expressions/jobs.ts";
import type { StoredEndpoint } from "../webhooks.store.ts";

/** Chooses the events of a key's log that an endpoint wants. */
export interface WantedEvents {
  /** The given events that the endpoint wants, in order. Rejects when its tags cannot be looked up. */
  of(endpoint: StoredEndpoint, events: WrittenEvent[]): Promise<WrittenEvent[]>;
}

/** What the endpoint's filter is; null for what it does not restrict. */
export function filterOf(endpoint: StoredEndpoint): EventFilter {
  const { event_types = null, sources = null, tags = null, meaningful, filter } = endpoint;
  return { event_types, sources, tags, ...(meaningful && { meaningful }), ...(filter && { filter }) };
}

/** Whether the endpoint may leave out events of its own choice. */
export function isFiltered(endpoint: StoredEndpoint): boolean {
  return !isEverything(filterOf(endpoint)) || (endpoint.former?.length ?? 0) > 0;
}

/**
 * Decides by the filters of endpoints, with the sources that have their tags. An event that a predicate cannot be evaluated for
 * is wanted: rather one too many than one lost. `onProblem` hears of it.
 */
export function wantedEvents(
  tagged: Pick<TaggedSources, "of">,
  expressions: Pick<Expressions, "match">,
  onProblem: (endpoint: StoredEndpoint, problem: string) => void = () => undefined,
): WantedEvents {
  return {
    of: async (endpoint, events) => {
      if (!isFiltered(endpoint)) return events.filter(event => isForAny(event, endpoint));
      const filter = filterOf(endpoint);
      const { former = [] } = endpoint;
      const sets = new Map<readonly string[], ReadonlySet<string>>();
      // Asked after the events were read: a source was tagged before its events came.
      for (const { tags } of [filter, ...former])
        if (tags) sets.set(tags, await tagged.of(keyOf(endpoint._id), tags));
      const hasTag = (sourceId: string, tags: readonly string[]) => sets.get(tags)?.has(sourceId) ?? false;
      const wanted = events.filter(event => {
        const addressee = addresseeOf(event);
        if (isAbout(event, endpoint)) return false;
        return addressee ? addressee === endpoint.webhookId : isWanted(filter, former, event, hasTag);
      });
      return await matching(wanted, endpoint, [filter, ...former]);
    },
  };

  /** Those that the predicates let pass, of which former ones hold for events from before. */
  async function matching(
    events: WrittenEvent[],
    endpoint: StoredEndpoint,
    filters: readonly (EventFilter & { until?: number })[],
  ): Promise<WrittenEvent[]> {
    let left = events;
    for (const { filter, until = Number.POSITIVE_INFINITY } of filters) {
      if (!filter) continue;
      const asked = left.filter(event => event.seq <= until && addresseeOf(event) === undefined);
      const jsons = asked.map(({ json }) => json);
      const matches = jsons.length > 0 ? await expressions.match(keyOf(endpoint._id), filter, jsons) : [];
      const problem = matches.find(hasProblem);
      if (problem) onProblem(endpoint, problem.problem);
      const refused = new Set(asked.filter((_, at) => matches[at] === false));
      left = left.filter(event => !refused.has(event));
    }
    return left;
  }
}

/** The webhook that a test event is meant for; it passes any filter of it. */
function addresseeOf({ type, json }: WrittenEvent): string | undefined {
  if (type !== "webhook.test") return undefined;
  return (JSON.parse(json) as { data: { webhook_id?: string } }).data.webhook_id;
}

/** An endpoint that fails is not told so by itself: each such event would be one more that it fails to take. */
function isAbout({ type, json }: WrittenEvent, { webhookId }: StoredEndpoint): boolean {
  if (!isOfEndpoint({ type })) return false;
  return (JSON.parse(json) as { data: { endpoint?: { id: string } } }).data.endpoint?.id === webhookId;
}

function isForAny(event: WrittenEvent, endpoint: StoredEndpoint): boolean {
  const { webhookId } = endpoint;
  return !isErased(event) && !isAbout(event, endpoint) && (addresseeOf(event) ?? webhookId) === webhookId;
}
