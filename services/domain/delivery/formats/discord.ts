import { clip, clipEscaped, joinWithin } from "./clip.ts";
import type { News } from "./news.ts";
import { filled } from "./template.ts";

/** https://discord.com/developers/docs/resources/message#embed-object-embed-limits; `total` is of an embed's texts. */
const limits = { content: 2_000, title: 256, description: 4_096, author: 256, footer: 2_048, total: 6_000 };
const lineLength = 300;

/** A message for a webhook of Discord. Nobody is mentioned, whatever the texts say. */
export function discordMessage(news: readonly News[], template: string | null): object {
  const allowed_mentions = { parse: [] };
  if (template !== null) {
    const texts = news.map(each => filled(template, each, escapeDiscord));
    return { content: joinWithin(texts, limits.content), allowed_mentions };
  }
  const [first, ...others] = news;
  if (first && others.length === 0) return { embeds: [embedOf(first)], allowed_mentions };
  const description = joinWithin(news.map(lineOf), limits.description);
  return { embeds: [{ title: `${news.length} events`, description }], allowed_mentions };
}

function embedOf({ title, text, url, author, source, time, mood }: News): object {
  const head = clipEscaped(title, limits.title, escapeDiscord);
  const by = author === null || author === title ? "" : clip(author, limits.author);
  const footer = clip(source.name, 200);
  const left = limits.total - head.length - by.length - footer.length;
  const description = clipEscaped(text.trim(), Math.min(limits.description, left), escapeDiscord);
  return {
    title: head,
    ...(description !== "" && { description }),
    ...(url !== null && { url }),
    ...(!Number.isNaN(Date.parse(time)) && { timestamp: time }),
    ...(by !== "" && { author: { name: by } }),
    ...(footer !== "" && { footer: { text: footer } }),
    color: colors[mood],
  };
}

const colors = { info: 0x3b82f6, success: 0x22c55e, warning: 0xf59e0b, failure: 0xef4444 };

function lineOf({ title, text, url }: News): string {
  const rest = text.replace(/\s+/g, " ").trim();
  const name = clipEscaped(title, lineLength, escapeDiscord);
  const said = clipEscaped(rest, lineLength, escapeDiscord);
  // The brackets keep Discord from a preview of every link.
  const link = url !== null && url.length <= lineLength ? ` <${url}>` : "";
  return `• ${name}${said === "" ? "" : `: ${said}`}${link}`;
}

/** Markdown in a text is shown as it was written. Addresses stay, since a backslash would lead elsewhere. */
export function escapeDiscord(text: string): string {
  return text
    .split(/(https?:\/\/[^\s<>[\]()|`*]+)/)
    .map((part, at) => (at % 2 === 1 ? part : part.replace(/[\\*_~`|<>[\]()#@-]/g, "\\$&")))
    .join("");
}
