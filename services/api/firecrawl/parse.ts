import { type ParsedDocument, parseDocument } from "../../contracts/parse.contract.ts";
import { documentOf } from "../../domain/firecrawl/document.ts";
import { present } from "../../domain/json/fields.ts";
import { scrapeTimeout } from "../routes/scrape.routes.ts";
import { answerWith, ask } from "./ask.ts";
import { checkedPart } from "./checked-part.ts";
import { differs, fieldsOf, ignored, type Options, refuse, rules } from "./options.ts";
import { type PageBody, pageOptionsSent, pageRequestOf } from "./page-options.ts";

const offline = "nothing is fetched: the document is read as it was sent";

/** The options of `POST /parse`, in the part `options` of its form. */
export const parseOptions = {
  formats: differs(
    pageOptionsSent.formats.rule,
    "output.formats",
    "markdown, html, rawHtml, links, images, summary and json; screenshot and changeTracking are refused, as others are",
  ),
  onlyMainContent: pageOptionsSent.onlyMainContent,
  includeTags: pageOptionsSent.includeTags,
  excludeTags: pageOptionsSent.excludeTags,
  parsers: pageOptionsSent.parsers,
  removeBase64Images: pageOptionsSent.removeBase64Images,
  timeout: differs(rules.number, "timeout", "1,000 to 600,000; the default is 30,000"),
  headers: ignored(offline),
  skipTlsVerification: ignored(offline),
  blockAds: ignored(offline),
  proxy: ignored(offline),
  origin: pageOptionsSent.origin,
  integration: pageOptionsSent.integration,
  auditMetadata: pageOptionsSent.auditMetadata,
  redactPII: pageOptionsSent.redactPII,
  zeroDataRetention: ignored("nothing of the document is kept"),
} as const satisfies Options;

interface ParseBody {
  file: ParseFile;
  options?: Record<string, unknown>;
}
type ParseFile = { name: string; type: string; size: number };

const defaultTimeoutMs = 30_000;

/** Answers `POST /parse`. */
export const parseAnswer = answerWith<ParseBody>(
  { file: { type: "object" }, options: { type: "object", optional: true } },
  async (asked, { file, options = {} }) => {
    const sent = checkedPart(parseOptions, options, "v2", "options.") as PageBody & { timeout?: number };
    const request = { file, options: optionsOf(sent) };
    const timeout = scrapeTimeout(request.options);
    const names = fieldsOf(parseOptions, "options.").map(([ours, theirs]): [string, string] => [
      `options.${ours}`,
      theirs,
    ]);
    const { data } = await ask<unknown, ParsedDocument>(asked, parseDocument as never, request, {
      ...{ timeout, names, withUpload: true },
    });
    const { metadata, ...document } = documentOf(data);
    return {
      success: true,
      data: { ...document, metadata: { ...metadata, sourceFile: data.metadata.file_name } },
    };
  },
);

/** Throws a 400 for what Magpie does not have. */
function optionsOf({ timeout = defaultTimeoutMs, ...sent }: PageBody & { timeout?: number }) {
  const { output, request = {} } = pageRequestOf(sent, "v2", "options.");
  const other = (output?.formats ?? []).findIndex(name => name === "screenshot" || name === "changes");
  if (other >= 0)
    throw refuse(`options.formats.${other}`, "this for a document that is sent: no page is shown or known.");
  const { only_main_content, include_tags, exclude_tags, pdf } = request;
  return {
    timeout,
    output: present({ formats: output?.formats, json: output?.json }),
    request: present({ only_main_content, include_tags, exclude_tags, pdf }),
  };
}
