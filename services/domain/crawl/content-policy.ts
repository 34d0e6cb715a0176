import { type ContentUsage, refuses, type UsageStatement, type Use } from "./content-usage.ts";

/** The uses of a key and those of a request, in one order: a request may add some, and drops none of the key's. */
export function joinedUses(...all: (readonly Use[] | null | undefined)[]): Use[] {
  return [...new Set(all.flatMap(uses => uses ?? []))].sort();
}

/** A request with the uses of its key, too. */
export function withUsesOf<Of extends { request: { content_uses?: Use[] } }>(
  key: { contentUses?: readonly Use[] },
  wanted: Of,
): Of {
  const content_uses = joinedUses(key.contentUses, wanted.request.content_uses);
  if (content_uses.length === 0) return wanted;
  return { ...wanted, request: { ...wanted.request, content_uses } };
}

/** Why a site refuses one of the uses that its content is wanted for, as a sentence; null where it refuses none. */
export function refusalOf(usage: ContentUsage | undefined, uses: readonly Use[]): string | null {
  const use = uses.find(each => usage?.[each] === "no");
  const by = use && usage?.statements.find(statement => refuses(statement, use));
  if (!by) return null;
  return `The site does not allow its content to be used for \`${use}\`, which \`content_uses\` names: ${sentenceOf(by)}.`;
}

const subjects: Record<UsageStatement["by"], string> = {
  "robots.txt": "its robots.txt says",
  "tdmrep.json": "its tdmrep.json says",
  header: "a header of its answer says",
  page: "the page says",
};

function sentenceOf({ by, name, value }: UsageStatement): string {
  return `${subjects[by]} \`${name}: ${value}\``;
}
