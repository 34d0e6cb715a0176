/* What an event tells, read from its data. The data came from elsewhere, so nothing about its shape is certain. */

export interface Change {
  diff: string;
  added: string[];
  removed: string[];
  value?: { from: number; to: number };
  fields: { name: string; from: unknown; to: unknown }[];
  pictures?: { before?: string | null; after?: string | null; difference?: string | null };
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
  /** The version of the source that the event is of. */
  version?: string;
}

type Data = Record<string, unknown>;

export function happenedIn({ data }: { data: Data }): Happened {
  const item = record(data.item);
  const change = changeIn(data.change);
  const found = {
    ...some("title", words(record(data.change).title) ?? words(item.title)),
    ...some("url", words(record(data.change).url) ?? words(item.url)),
    ...some("text", textIn(data, item)),
    ...some("reason", words(data.reason)),
    ...(change && { change }),
    ...some("version", words(data.version)),
  };
  return { isKnown: Object.keys(found).some(name => name !== "version"), ...found };
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
