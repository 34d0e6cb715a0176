import { clip, clipEscaped, joinWithin } from "./clip.ts";
import type { News } from "./news.ts";
import { filled } from "./template.ts";

/** https://docs.slack.dev/reference/block-kit: of a header, a section, and a message. */
const [headerLength, sectionLength, textLength] = [150, 3_000, 40_000];
/** Slack refuses blocks whose texts have more than about 13,000 characters together (`msg_blocks_too_long`). */
const allSections = 12_000;
const lineLength = 300;

/** A message for an incoming webhook of Slack. Values cannot mention anybody, since `<` starts every mention. */
export function slackMessage(news: readonly News[], template: string | null): object {
  if (template !== null) {
    const texts = news.map(each => filled(template, each, escapeSlack));
    return { text: joinWithin(texts, textLength, clipMarkup) };
  }
  const [first, ...others] = news;
  return first && others.length === 0 ? one(first) : several(news);
}

function one({ title, text, url, source, time }: News): object {
  const about = [source.name, time].filter(Boolean).map(part => clipEscaped(part, 500, escapeSlack));
  const link = url === null ? [] : [`<${linkTarget(url)}|Open>`];
  const context = [...link, ...about].join(" · ");
  return {
    text: clipEscaped(title, sectionLength, escapeSlack),
    blocks: [
      // Plain text: what others wrote is neither formatted nor linked.
      { type: "header", text: plain(title, headerLength) },
      ...(text.trim() === "" ? [] : [{ type: "section", text: plain(text, sectionLength) }]),
      ...(context === "" ? [] : [{ type: "context", elements: [{ type: "mrkdwn", text: context }] }]),
    ],
    unfurl_links: false,
  };
}

function several(news: readonly News[]): object {
  const lines = joinWithin(news.map(lineOf), allSections).split("\n");
  return {
    text: `${news.length} events`,
    blocks: sectionsOf(lines).map(text => ({ type: "section", text: { type: "mrkdwn", text } })),
    unfurl_links: false,
  };
}

function lineOf({ title, text, url }: News): string {
  const name = clipEscaped(title, lineLength, escapeSlack);
  const target = url === null ? null : linkTarget(url);
  const linked = target !== null && target.length <= lineLength ? `<${target}|${name}>` : name;
  const rest = clipEscaped(text.replace(/\s+/g, " ").trim(), lineLength, escapeSlack);
  return `• ${linked}${rest === "" ? "" : `: ${rest}`}`;
}

/** Lines, each far shorter than a section, in as few sections as hold them. */
function sectionsOf(lines: readonly string[]): string[] {
  const sections: string[] = [];
  for (const line of lines) {
    const last = sections.at(-1);
    if (last !== undefined && last.length + line.length < sectionLength)
      sections[sections.length - 1] = `${last}\n${line}`;
    else sections.push(line);
  }
  return sections;
}

function plain(text: string, most: number): object {
  return { type: "plain_text", text: clip(text.trim(), most), emoji: false };
}

/** https://docs.slack.dev/messaging/formatting-message-text#escaping: three characters, and no others. */
export function escapeSlack(text: string): string {
  return text.replace(/[&<>]/g, found => escapes[found] ?? found);
}

const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

function linkTarget(url: string): string {
  return escapeSlack(url.replaceAll("|", "%7C").replaceAll(">", "%3E").replaceAll("<", "%3C"));
}

/** A cut must not leave half of an escape behind. */
function clipMarkup(text: string, most: number): string {
  return clip(text, most).replace(/&[a-z]{0,3}…$/, "…");
}
