import { clip, joinWithin } from "./clip.ts";
import type { News } from "./news.ts";
import { filled } from "./template.ts";

const titleLength = 250;

/** Title, text and address, each on lines of its own; an empty line between events. */
export function plainBody(news: readonly News[], template: string | null): string {
  const texts = news.map(each =>
    template === null
      ? [each.title, each.text, each.url ?? ""].filter(part => part.trim() !== "").join("\n")
      : filled(template, each),
  );
  return `${texts.join("\n\n")}\n`;
}

/** A line for all of them. */
export function titleOf(news: readonly News[]): string {
  const [first, ...others] = news;
  return first && others.length === 0 ? first.title : `${news.length} events`;
}

export function bodyOf(
  news: readonly News[],
  template: string | null,
  most: number,
  escaping?: (text: string) => string,
): string {
  if (template !== null)
    return clip(
      joinWithin(
        news.map(each => filled(template, each, escaping)),
        most,
      ),
      most,
    );
  const [first, ...others] = news;
  if (first && others.length === 0) return clip(first.text.trim(), most);
  return joinWithin(news.map(lineOf), most);
}

function lineOf({ title, text, url }: News): string {
  const said = text.replace(/\s+/g, " ").trim();
  return [`• ${clip(title, titleLength)}`, said && `: ${clip(said, titleLength)}`, url && ` ${url}`].join("");
}

const moods = ["info", "success", "warning", "failure"] as const;

export function worstOf(news: readonly News[]): News["mood"] {
  return moods[Math.max(0, ...news.map(({ mood }) => moods.indexOf(mood)))] ?? "info";
}
