import type { News } from "./news.ts";

/** The names that a template may have, with what they stand for. */
export const templateNames: Record<string, (news: News) => string> = {
  title: news => news.title,
  text: news => news.text,
  url: news => news.url ?? "",
  author: news => news.author ?? "",
  type: news => news.type,
  time: news => news.time,
  id: news => news.id,
  seq: news => String(news.seq ?? ""),
  added: news => news.added.join("\n"),
  removed: news => news.removed.join("\n"),
  fields: news => news.fields.join("\n"),
  summary: news => news.summary ?? "",
  "source.id": news => news.source.id,
  "source.kind": news => news.source.kind,
  "source.name": news => news.source.name,
  "source.username": news => news.source.username,
};

const place = /\{\{([^{}]*)\}\}/g;

/** What is wrong with a template, as a sentence; undefined for a good one. */
export function templateProblem(template: string): string | undefined {
  const unknown = [...template.matchAll(place)].find(([, name = ""]) => !isName(name.trim()));
  if (unknown)
    return `${unknown[0]} is no name of a template. Known are: ${Object.keys(templateNames).join(", ")}.`;
  const rest = template.replace(place, "");
  if (rest.includes("{{") || rest.includes("}}"))
    return "has braces that do not fit together: a name is written {{title}}.";
  return undefined;
}

function isName(name: string): boolean {
  return Object.hasOwn(templateNames, name);
}

/**
 * The template with its names replaced; the title where nothing is left, since receivers refuse an empty message.
 * `escaping` makes a value harmless where the text goes.
 */
export function filled(template: string, news: News, escaping = (value: string) => value): string {
  const text = template.replace(place, (whole, name: string) => {
    const value = templateNames[name.trim()];
    return value ? escaping(value(news)) : whole;
  });
  return text.trim() === "" ? escaping(news.title) : text;
}
