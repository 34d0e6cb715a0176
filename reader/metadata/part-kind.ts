/** What the classes and the id of a part say that it holds. */
export type Kind = "author" | "user" | "date" | "others" | "none";

export const frames = new Set(["html", "body", "main", "article"]);
const ofAnything =
  /author|autor|auteur|by-?line|writer|contributor|user-?name|date|datum|publish|post|time|modified|comment|respond|repl|relat|recommend|sidebar|more|review|teaser/i;
const ofOthers =
  /(?:^|\s)(?:comments?|respond|repl(?:y|ies)|related|recommend(?:ed|ations)|sidebar|reviews|(?:customer|user|product)-?reviews?|review-(?:item|list|card)|teasers?|more-(?:posts|from|stories))(?:$|[\s_-])/i;
const ofAuthor =
  /(?:^|[\s_-])(?:authors?|by-?lines?|autor|auteur|writer|author-?name|contributors?)(?:$|[\s_-])/i;
const ofUser = /(?:^|[\s_-])user-?name(?:$|[\s_-])/i;
const ofDate =
  /(?:^|[\s_-])(?:date|publish(?:ed)?|pub-?date|posted(?:-on)?|timestamp|time|datum|dateline|updated|modified)(?:$|[\s_-])/i;

export function kindOfNames(names: string): Kind {
  if (!ofAnything.test(names)) return "none";
  if (ofOthers.test(names)) return "others";
  if (ofAuthor.test(names)) return "author";
  if (ofUser.test(names)) return "user";
  return ofDate.test(names) ? "date" : "none";
}
