/* What an event tells, read from its data. The data came from elsewhere, so nothing about its shape is certain. */

export interface Change {
  diff: string;
  added: string[];
  removed: string[];
  value?: { from: number; to: number };
  fields: { name: string; from: unknown; to: unknown }[];
  pictures?: { before?: string | null; after?: string | null; difference?: string | null };
}

/** What a language model said of a change, by the goal of its watch. */
export interface Verdict {
  /** Undefined where no verdict was had. */
  isMeaningful?: boolean;
  /** From 0 to 1. */
  confidence?: number;
  reason?: string;
  summary?: string;
  goal?: string;
}

export interface Happened {
  /** Whether there is anything to say in words. */
  isKnown: boolean;
  title?: string;
  url?: string;
  /** Markdown or plain text. */
  text?: string;
  reason?: string;
  change?: Change;
  /** The addresses of a page that has moved. */
  moved?: { from: string; to: string };
  /** Counts with their names. */
  counts?: [name: string, count: number][];
  /** Addresses of pages that show a change which many pages have. */
  examples?: string[];
  verdict?: Verdict;
  /** The page of a site that the event is of. */
  page?: string;
  /** The version of the source that the event is of. */
  version?: string;
}

type Data = Record<string, unknown>;

export function happenedIn({ data }: { data: Data }): Happened {
  const [item, page, result] = [record(data.item), record(data.page), record(data.result)];
  const change = changeIn(data.change);
  const moved = { from: words(data.from), to: words(data.to) };
  const counts = countsIn(data);
  const examples = list(record(data.change).examples);
  const verdict = verdictIn(data);
  const of = [record(data.change), item, page, result, record(data.post), record(data.message)];
  const found = {
    ...some("title", first(of, "title")),
    ...some("url", first(of, "url")),
    ...some("text", textIn(data, item) ?? words(result.description)),
    ...some("reason", words(data.reason)),
    ...(change && { change }),
    ...(moved.from && moved.to && { moved: { from: moved.from, to: moved.to } }),
    ...(counts.length > 0 && { counts }),
    ...(examples.length > 0 && { examples }),
    ...(verdict && { verdict }),
    ...some("page", words(page.url)),
    ...some("version", words(data.version)),
  };
  return { isKnown: Object.keys(found).some(name => name !== "version"), ...found };
}

function first(all: Data[], name: string): string | undefined {
  return all.map(each => words(each[name])).find(Boolean);
}

const countNames = {
  seen_on: "Seen on pages",
  looked_at: "Pages looked at",
  pages: "Pages watched",
  visited: "Visited",
  unchanged: "Unchanged",
  added: "New",
  changed: "Changed",
  removed: "Gone",
  moved: "Moved",
  failed: "Failed",
};

function countsIn(data: Data): [string, number][] {
  const counted = { ...record(data.change), ...record(data.check) };
  return Object.entries(countNames).flatMap(([name, title]) => {
    const count = counted[name];
    return typeof count === "number" ? [[title, count] as [string, number]] : [];
  });
}

/** What a judge says of an event; undefined where it was not asked. */
export function verdictIn({ judgement }: Data): Verdict | undefined {
  const { judged, meaningful, confidence, reason, summary, goal } = record(judgement);
  if (typeof judged !== "boolean") return undefined;
  return {
    ...(judged && typeof meaningful === "boolean" && { isMeaningful: meaningful }),
    ...(judged && typeof confidence === "number" && { confidence }),
    ...some("reason", words(reason)),
    ...some("summary", words(summary)),
    ...some("goal", words(goal)),
  };
}

function textIn(data: Data, item: Data): string | undefined {
  return (
    words(item.content_text) ??
    words(item.summary) ??
    words(record(record(data.post).legacy).full_text) ??
    words(record(data.message).content) ??
    words(record(data.message).text)
  );
}

function changeIn(value: unknown): Change | undefined {
  const change = record(value);
  const [diff, added, removed] = [words(change.diff) ?? "", list(change.added), list(change.removed)];
  const fields = Object.entries(record(change.fields)).map(([name, each]) => ({
    name,
    from: record(each).from,
    to: record(each).to,
  }));
  const { from, to } = record(change.value);
  const hasValue = typeof from === "number" && typeof to === "number";
  if (diff === "" && added.length + removed.length + fields.length === 0 && !hasValue) return undefined;
  const pictures = record(change.pictures);
  return {
    ...{ diff, added, removed, fields },
    ...(hasValue && { value: { from, to } }),
    ...(Object.keys(pictures).length > 0 && { pictures }),
  };
}

function record(value: unknown): Data {
  return typeof value === "object" && value !== null ? (value as Data) : {};
}

function words(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

function list(value: unknown): string[] {
  return Array.isArray(value) ? value.filter(each => typeof each === "string") : [];
}

function some<Name extends string>(name: Name, value: string | undefined): { [Key in Name]?: string } {
  return (value === undefined ? {} : { [name]: value }) as { [Key in Name]?: string };
}
