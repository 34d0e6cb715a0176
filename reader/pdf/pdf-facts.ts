import type { DocumentFacts } from "../document/document-html.ts";
import type { Pdf } from "./pdf-source.ts";

/** Names that programs give to documents that have none. */
const nameOfFile =
  /^(about:|https?:|microsoft (word|powerpoint|excel) - |untitled\b|no title$|slide 1$|\(?(anonymous|unspecified|unnamed)\)?$|(document|dokument|documento)\d*$)|\.(docx?|pptx?|xlsx?|indd|tex|dvi|pdf|rtf|odt|qxd)$/i;
const nobody = /^\(?(anonymous|unspecified|unknown|none|n\/a|user|owner|admin(istrator)?)\)?$/i;

/** What a document says of itself. The title is that of its first heading where it says none. */
export async function factsOf(pdf: Pdf, heading: string | undefined): Promise<DocumentFacts> {
  const { info } = await pdf.getMetadata();
  const entry = (name: string, isNone = nobody) => {
    const value: unknown = (info as Record<string, unknown>)[name];
    const text = typeof value === "string" ? value.trim().slice(0, 2000) : "";
    return text === "" || isNone.test(text) ? undefined : text;
  };
  return {
    title: entry("Title", nameOfFile) ?? heading,
    author: entry("Author"),
    description: entry("Subject"),
    keywords: entry("Keywords"),
    language: entry("Language"),
    created: dateOf(entry("CreationDate")),
    modified: dateOf(entry("ModDate")),
  };
}

/** `D:20260131120000+01'00'` (PDF 2.0, 7.9.4) as ISO 8601. */
function dateOf(text: string | undefined): string | undefined {
  const found = /^(?:D:)?(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)?(?:Z|([+-]\d\d)'?(\d\d))?/.exec(text ?? "");
  if (!found) return undefined;
  const [, year, month, day, hour, minute, second = "00", hours, minutes = "00"] = found;
  const zone = hours === undefined ? "Z" : `${hours}:${minutes}`;
  const date = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
