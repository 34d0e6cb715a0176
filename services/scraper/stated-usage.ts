import type { UsageStatement } from "../domain/crawl/content-usage.ts";

const headers = ["content-signal", "content-usage", "tdm-reservation", "tdm-policy"];

/** What an answer says in its headers, and in the directives for robots of its headers and of its page. */
export function usageStatements(
  answer: Record<string, string>,
  robots: string | null,
  page: Record<string, string> = {},
): UsageStatement[] {
  const byHeader = headers.map(name => ({ by: "header" as const, name, value: answer[name] ?? "" }));
  const byPage = headers.slice(2).map(name => ({ by: "page" as const, name, value: page[name] ?? "" }));
  const robotsTag = { by: "header" as const, name: "x-robots-tag", value: refusals(answer["x-robots-tag"]) };
  const robotsMeta = { by: "page" as const, name: "robots", value: refusals(robots) };
  return [...byHeader, robotsTag, ...byPage, robotsMeta].filter(({ value }) => value !== "");
}

/** `noai` and `noimageai` among the directives for robots. */
function refusals(directives: string | null | undefined): string {
  return (
    (directives ?? "")
      .toLowerCase()
      .match(/(?<![\w-])no(?:image)?ai(?![\w-])/g)
      ?.join(", ") ?? ""
  );
}
