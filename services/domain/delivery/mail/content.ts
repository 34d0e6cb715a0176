import { escapeHtml } from "../../../../reader/text/escape-html.ts";
import { clip } from "../formats/clip.ts";
import type { News } from "../formats/news.ts";
import { newsHtml } from "../formats/news-html.ts";
import { filled } from "../formats/template.ts";

/** What a mail to one person says. */
export interface MailContent {
  subject: string;
  text: string;
  /** Missing where the endpoint wants plain text only. */
  html?: string;
}

export interface Letter {
  /** The events that it shows; those after the 50th are counted. */
  news: readonly News[];
  /** How many events it covers: more than it shows. */
  total: number;
  template: string | null;
  isPlain: boolean;
  /** Where the service is reached. */
  publicUrl: string;
  unsubscribeUrl: string;
}

/** Events that one mail shows. */
export const mostShown = 50;
/** Characters: longer subjects are cut by programs anyway; some cut a mail at 100 KB. */
const [subjectLength, aloneLength, severalLength, titleLength] = [120, 20_000, 600, 300];

/** Shows one event in full, or several with the beginning of each. Text and HTML say the same. */
export function mailContent({ news, total, template, isPlain, ...links }: Letter): MailContent {
  const shown = news.slice(0, mostShown);
  const parts = shown.map(each => (template === null ? partOf(each, total > 1) : filledPart(each, template)));
  const more = moreOf(shown, total, links.publicUrl);
  const foot = "You get this mail because this address was confirmed for it.";
  const text = [
    ...parts.map(part => part.text),
    ...(more === null ? [] : [more]),
    `-- \n${foot}\nUnsubscribe: ${links.unsubscribeUrl}`,
  ].join("\n\n");
  const subject = subjectOf(shown, total);
  if (isPlain) return { subject, text: `${text}\n` };
  const html = [
    "<!doctype html>",
    `<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>`,
    '<body style="font-family:sans-serif;line-height:1.5;max-width:44em">',
    parts.map(part => part.html).join("\n<hr>\n"),
    ...(more === null ? [] : [`<hr>\n<p>${escapeHtml(more)}</p>`]),
    `<hr>\n<p style="font-size:small">${foot} <a href="${escapeHtml(links.unsubscribeUrl)}">Unsubscribe</a></p>`,
    "</body></html>",
  ].join("\n");
  return { subject, text: `${text}\n`, html: `${html}\n` };
}

/** What a header shows: a control character is not. */
const saysSomething = /[^\p{Cc}\p{Z}]/u;

function subjectOf([first]: readonly News[], total: number): string {
  const title = first && saysSomething.test(first.title) ? first.title : "News";
  return clip(total > 1 ? `${total.toLocaleString("en")} events: ${title}` : title, subjectLength);
}

interface Part {
  text: string;
  html: string;
}

function partOf(news: News, isOfMany: boolean): Part {
  const { url, source, time } = news;
  const title = clip(news.title, titleLength);
  const said = clip(news.text.trim(), isOfMany ? severalLength : aloneLength);
  const about = [source.name, time].filter(Boolean).join(" · ");
  const text = [title, said, url ?? "", about].filter(line => line.trim() !== "").join("\n");
  const head = url === null ? escapeHtml(title) : `<a href="${escapeHtml(url)}">${escapeHtml(title)}</a>`;
  const body = isOfMany ? `<p>${inLines(said)}</p>` : newsHtml(news);
  return { text, html: `<h3>${head}</h3>\n${body}\n<p style="font-size:small">${escapeHtml(about)}</p>` };
}

function filledPart(news: News, template: string): Part {
  const text = clip(filled(template, news), aloneLength);
  return { text, html: `<p>${inLines(text)}</p>` };
}

function inLines(text: string): string {
  return text.split("\n").map(escapeHtml).join("<br>");
}

/** What a mail leaves out, and where it is. */
function moreOf(shown: readonly News[], total: number, publicUrl: string): string | null {
  const left = total - shown.length;
  if (left <= 0) return null;
  const seq = shown.at(-1)?.seq ?? 0;
  return `… and ${left.toLocaleString("en")} more: GET ${publicUrl}/events?after=${seq}`;
}
