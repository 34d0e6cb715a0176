import { toText } from "../../feed/feed-text.ts";

/** What an event says, for people: the same fields for every type. */
export interface News {
  id: string;
  type: string;
  seq: number | null;
  /** ISO 8601. */
  time: string;
  /** A single line; never empty. */
  title: string;
  /** May have several lines; the judge's sentence is the first. */
  text: string;
  /** What has changed, in a sentence of the judge; null without a judgement. */
  summary: string | null;
  /** HTML of the same, where the event has any; `newsHtml` makes it safe to show. */
  html: string | null;
  /** A web address that shows more; null where none is known. */
  url: string | null;
  author: string | null;
  /** `kind` in lower case; empty texts for an event without a source. */
  source: { id: string; kind: string; name: string; username: string };
  added: string[];
  removed: string[];
  /** Changed fields, as `price: 10 → 12`. */
  fields: string[];
  mood: "info" | "success" | "warning" | "failure";
}

type Data = Record<string, unknown>;

/** What the types differ in; what is left out is derived. */
type Told = Partial<Pick<News, "text" | "html" | "author" | "added" | "removed" | "fields" | "mood">> & {
  title: string;
  url?: unknown;
};

/** Reads an event, given as JSON. Of a type that it does not know it gives the name. */
export function newsOf(json: string): News {
  const event = dataOf(JSON.parse(json));
  const data = dataOf(event.data);
  const source = sourceOf(dataOf(data.source));
  const type = textOf(event.type);
  const words = tellers[type]?.(data, source) ?? { title: `${source.name || "Magpie"}: ${type}` };
  const { summary: said } = dataOf(data.judgement ?? dataOf(data.page).judgement);
  const summary = lineOf(textOf(said)) || null;
  return {
    id: textOf(event.id),
    type,
    seq: typeof event.seq === "number" ? event.seq : null,
    time: textOf(event.timestamp),
    title: lineOf(words.title) || source.name || type,
    text: [summary, words.text].filter(Boolean).join("\n"),
    summary,
    html: words.html ?? null,
    url: webAddress(words.url) ?? null,
    author: words.author ?? null,
    source,
    added: words.added ?? [],
    removed: words.removed ?? [],
    fields: words.fields ?? [],
    mood: words.mood ?? "info",
  };
}

const tellers: Record<string, (data: Data, source: News["source"]) => Told> = {
  "microblog.post.created": postOf,
  "microblog.post.updated": data => edited(postOf(data)),
  "microblog.post.deleted": (_, source) => deleted("post", source),
  "chatserver.message.created": chatMessageOf,
  "chatserver.message.updated": (data, source) => edited(chatMessageOf(data, source)),
  "chatserver.message.deleted": (_, source) => deleted("message", source),
  "messenger.message.created": messengerMessageOf,
  "messenger.message.updated": (data, source) => edited(messengerMessageOf(data, source)),
  "messenger.message.deleted": (_, source) => deleted("message", source),
  "rss.item.created": ({ item }, source) => itemOf(dataOf(item), source),
  "rss.item.updated": ({ item }, source) => {
    const words = itemOf(dataOf(item), source);
    return { ...words, title: `Updated: ${words.title}` };
  },
  "web.page.changed": ({ change }, source) => changeOf(dataOf(change), source),
  "web.item.created": ({ item }, source) => itemOf(dataOf(item), source),
  "site.page.added": ({ page }, source) => sitePageOf(dataOf(page), source, "is new"),
  "site.page.changed": ({ page, change }, source) => ({
    ...changeOf({ title: dataOf(page).title, ...dataOf(change) }, source),
    url: dataOf(page).url,
  }),
  "site.page.removed": ({ page, reason }, source) => sitePageOf(dataOf(page), source, "is gone", reason),
  "site.page.moved": ({ page, from, reason }, source) =>
    sitePageOf(
      dataOf(page),
      source,
      "has moved",
      `${textOf(from)} → ${textOf(dataOf(page).url)}\n${textOf(reason)}`,
    ),
  "site.changed": ({ change }, source) => wholeSiteOf(dataOf(change), source),
  "site.checked": ({ check }, source) => checkedOf(dataOf(check), source),
  "search.result.found": ({ result }, { name }) => {
    const { title, url, description } = dataOf(result);
    return { title: textOf(title) || name, url, text: textOf(description) };
  },
  "source.failing": ({ reason }, source) => healthOf(source, "cannot be read", reason, "warning"),
  "source.recovered": ({ reason }, source) => healthOf(source, "can be read again", reason, "success"),
  "source.gone": ({ reason }, source) => healthOf(source, "is gone", reason, "failure"),
  "source.gap": ({ reason }, source) => healthOf(source, "may have lost items", reason, "warning"),
  "monitor.page": ({ page }, source) => monitoredOf(dataOf(page), source),
  "monitor.checked": ({ monitor, check }) => monitorOf(dataOf(monitor), dataOf(check)),
  "quota.warning": ({ quota }) => quotaOf(dataOf(quota), "is nearly used up", "warning"),
  "quota.exceeded": ({ quota }) => quotaOf(dataOf(quota), "is used up", "failure"),
  "endpoint.failing": data => endpointOf(data, "takes no events", "warning"),
  "endpoint.failed": data => endpointOf(data, "has failed", "failure"),
  "endpoint.recovered": data => endpointOf(data, "takes events again", "success"),
  "event.erased": () => ({ title: "Erased event", text: "Its content was erased." }),
  "webhook.test": () => ({ title: "Test event", text: "Magpie reaches this endpoint." }),
};

function postOf({ post }: Data): Told {
  const { core, legacy, url, media, ...details } = dataOf(post);
  const { name, username } = dataOf(dataOf(dataOf(core).user_results).result);
  const author = `${textOf(name)} (@${textOf(username)})`;
  const { full_text, url: legacyUrl } = dataOf(legacy);
  const shown = listOf(media).map(each => attached(textOf(each.alt) || textOf(each.type), each.url));
  const text = joined(textOf(full_text), [...shown, ...toldBeside(textOf(full_text), details)]);
  return { title: author, author, text, url: url ?? legacyUrl };
}

function chatMessageOf({ message }: Data, { name }: News["source"]): Told {
  const { authorName, content, attachments, url, ...details } = dataOf(message);
  const author = textOf(authorName);
  const files = listOf(attachments).map(file =>
    attached(textOf(file.alt) || textOf(file.filename), file.url),
  );
  const words = withNames(textOf(content), listOf(details.mentions));
  const text = joined(words, [...files, ...toldBeside(words, details)]);
  return { title: `${author} in ${name}`, author, text, url };
}

function messengerMessageOf({ message }: Data, { name }: News["source"]): Told {
  const { channelTitle, text, mediaType, url, ...details } = dataOf(message);
  const body = textOf(text) || (mediaType ? `[${textOf(mediaType)}]` : "");
  return { title: textOf(channelTitle) || name, text: joined(body, toldBeside(body, details)), url };
}

function edited(told: Told): Told {
  return { ...told, title: `Edited: ${told.title}` };
}

function deleted(what: string, { name }: News["source"]): Told {
  return { title: `${name}: a ${what} was deleted` };
}

/** What is attached, by what its author says that it shows, else by its name or kind. */
function attached(name: string, url: unknown): string {
  return `${lineOf(name)} ${textOf(url)}`.trim();
}

/** Links of a message that are shown. */
const mostLinks = 5;

/** What a post is about that its text does not show: its poll, what it quotes, and where its links lead. */
function toldBeside(text: string, { card, links, poll, quoted }: Data): string[] {
  const isNew = ({ url }: Data) => webAddress(url) !== undefined && !text.includes(textOf(url));
  const preview = dataOf(card);
  const quote = dataOf(quoted);
  const others = listOf(links).filter(each => isNew(each) && each.url !== preview.url);
  return [
    ...listOf(dataOf(poll).options).map(option => `• ${lineOf(textOf(option.text))}`),
    ...(textOf(quote.text) ? [`> ${textOf(quote.author)}: ${lineOf(textOf(quote.text))}`] : []),
    ...(webAddress(preview.url) ? [attached(textOf(preview.title), isNew(preview) ? preview.url : "")] : []),
    ...others.slice(0, mostLinks).map(({ url }) => textOf(url)),
  ];
}

/** Discord writes ids in place of names: `<@1>`, `<#1>`, `<@&1>`. */
function withNames(text: string, mentions: Data[]): string {
  const names = new Map(mentions.map(({ id, name }) => [textOf(id), textOf(name)]));
  return text.replace(/<(@!?|#|@&)(\d{1,20})>/g, (raw, mark, id) => {
    const name = names.get(id);
    return name === undefined ? raw : `${mark === "#" ? "#" : "@"}${name}`;
  });
}

function joined(text: string, files: string[]): string {
  return [text, ...files].filter(Boolean).join("\n").trim();
}

function itemOf(item: Data, { name }: News["source"]): Told {
  const { title, url, external_url, summary, content_text, content_html, authors } = item;
  const html = textOf(content_html) || null;
  const author = listOf(authors).map(each => textOf(each.name));
  return {
    title: textOf(title) || name,
    url: webAddress(url) ?? external_url,
    text: textOf(summary) || textOf(content_text) || toText(html ?? undefined) || "",
    html,
    author: author.filter(Boolean).join(", ") || null,
  };
}

function changeOf(change: Data, { name }: News["source"]): Told {
  const added = linesOf(change.added);
  const removed = linesOf(change.removed);
  const fields = Object.entries(dataOf(change.fields)).map(([field, value]) => {
    const { from, to } = dataOf(value);
    return `${field}: ${shown(from)} → ${shown(to)}`;
  });
  const lines = [...removed.map(line => `- ${line}`), ...added.map(line => `+ ${line}`)];
  const title = `${textOf(change.title) || name} changed`;
  const said = [...fields, ...lines, textOf(change.note)].filter(Boolean);
  return { title, url: change.url, text: said.join("\n"), added, removed, fields };
}

function sitePageOf({ url, title }: Data, { name }: News["source"], state: string, text: unknown = ""): Told {
  return { title: `${textOf(title) || textOf(url) || name} ${state}`, url, text: textOf(text) };
}

/** A change that is on many pages at once. */
function wholeSiteOf(change: Data, source: News["source"]): Told {
  const told = changeOf(change, source);
  const { seen_on, looked_at } = change;
  const seen = `Seen on ${Number(seen_on)} of ${Number(looked_at)} pages.`;
  return { ...told, title: `${source.name}: many pages changed alike`, text: `${seen}\n${told.text}`.trim() };
}

function checkedOf({ visited, added, changed, removed, moved }: Data, { name }: News["source"]): Told {
  const text = `${Number(visited)} pages were visited: ${Number(added)} new, ${Number(changed)} changed, ${Number(removed)} gone, ${Number(moved)} moved.`;
  return { title: `${name} was checked`, text };
}

/** A page of a check of a monitor. */
function monitoredOf(page: Data, source: News["source"]): Told {
  const { url, title, status, error, change } = page;
  if (status === "changed" && typeof change === "object" && change !== null)
    return changeOf({ title, url, ...dataOf(change) }, source);
  const failed = status === "failed";
  return {
    title: `${textOf(title) || textOf(url)}: ${failed ? "could not be read" : textOf(status)}`,
    url,
    text: textOf(error),
    ...(failed && { mood: "warning" as const }),
  };
}

/** A check of a monitor. */
function monitorOf({ name }: Data, { status, counts, error }: Data): Told {
  const { pages, changed, removed, moved, failed, new: added } = dataOf(counts);
  const text = `${Number(pages)} pages: ${Number(added)} new, ${Number(changed)} changed, ${Number(moved)} moved, ${Number(removed)} gone, ${Number(failed)} not read.`;
  const isSkipped = status === "skipped";
  return {
    title: `${textOf(name)} was ${isSkipped ? "not checked" : "checked"}`,
    text: isSkipped ? textOf(error) : text,
    ...(status !== "completed" && { mood: "warning" as const }),
  };
}

function healthOf(source: News["source"], state: string, reason: unknown, mood: News["mood"]): Told {
  return { title: `${source.name} ${state}`, text: textOf(reason), mood };
}

function endpointOf({ endpoint, reason }: Data, state: string, mood: News["mood"]): Told {
  const { name, host, id } = dataOf(endpoint);
  return {
    title: `Webhook ${textOf(name) || textOf(host) || textOf(id)} ${state}`,
    text: textOf(reason),
    mood,
  };
}

function quotaOf({ name, period, used, limit, resets_at }: Data, state: string, mood: News["mood"]): Told {
  const title = `The quota of ${textOf(name)} of this ${textOf(period)} ${state}`;
  const until = textOf(resets_at).slice(0, 16).replace("T", " ");
  return {
    title,
    text: `${Number(used)} of ${Number(limit)} are used. It resets at ${until} UTC.`,
    mood,
  };
}

function sourceOf({ id, source, name, username }: Data): News["source"] {
  const kind = textOf(source).toLowerCase();
  return { id: textOf(id), kind, name: lineOf(textOf(name)), username: lineOf(textOf(username)) };
}

function dataOf(value: unknown): Data {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Data) : {};
}

function listOf(value: unknown): Data[] {
  return Array.isArray(value) ? value.map(dataOf) : [];
}

function linesOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(textOf) : [];
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
}

function lineOf(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return "nothing";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Only links to the web: a `javascript:` address in a feed must not become a button in a chat. */
function webAddress(value: unknown): string | undefined {
  const url = typeof value === "string" ? URL.parse(value) : null;
  return url && /^https?:$/.test(url.protocol) && url.href.length <= 2048 ? url.href : undefined;
}
