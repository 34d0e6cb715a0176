import { readTokens, type TokenSink } from "../../../reader/html/html-tokens.ts";

/** What is known of an answer. */
interface Answer {
  status: number;
  contentType: string;
  body: Buffer;
  finalUrl: string;
}

/** A document that leads on says so early. */
const headBytes = 64 * 1024;
/** Seconds. Pages that wait for longer are for reading. */
const longestWait = 5;

/**
 * The address to which a page leads by itself (`<meta http-equiv="refresh">`, HTML, "shared declarative refresh steps") within
 * five seconds. Undefined for an error page, for one that only loads itself again, and for what readers without scripts get.
 */
export function refreshTarget({ status, contentType, body, finalUrl }: Answer): URL | undefined {
  if (status < 200 || status > 299 || !/^\s*(?:text\/html|application\/xhtml)/i.test(contentType))
    return undefined;
  // All that counts is ASCII, whatever the encoding.
  const head = body.subarray(0, headBytes).toString("latin1");
  if (!/http-equiv/i.test(head)) return undefined;
  const search = new RefreshSearch();
  readTokens(head, search, { scripting: true });
  const [, seconds = "", address = ""] =
    /^\s*(\d{1,4})(?:\.[\d.]*)?\s*[;,]\s*(?:url\s*=\s*)?(.*)$/is.exec(search.content.slice(0, 4096)) ?? [];
  const named = unquoted(address.trim());
  if (named === "" || Number(seconds) > longestWait) return undefined;
  const target = URL.parse(
    named,
    search.base === "" ? finalUrl : (URL.parse(search.base, finalUrl) ?? finalUrl),
  );
  return target && isOtherPage(target, finalUrl) ? target : undefined;
}

function unquoted(text: string): string {
  const [quote = ""] = text;
  if (quote !== '"' && quote !== "'") return text;
  return text.slice(1).split(quote)[0] ?? "";
}

function isOtherPage(target: URL, url: string): boolean {
  const withoutFragment = ({ href }: URL) => href.replace(/#.*$/s, "");
  return /^https?:$/.test(target.protocol) && withoutFragment(target) !== withoutFragment(new URL(url));
}

class RefreshSearch implements TokenSink {
  content = "";
  base = "";
  /** Templates that are open: their content is no part of the document. */
  private templates = 0;

  text(): void {
    // Only tags lead on.
  }

  startTag(name: string, attributes: Map<string, string>): boolean {
    if (name === "template") this.templates += 1;
    if (this.templates > 0) return true;
    if (name === "base") this.base ||= attributes.get("href") ?? "";
    const isRefresh = name === "meta" && attributes.get("http-equiv")?.trim().toLowerCase() === "refresh";
    if (isRefresh) this.content ||= attributes.get("content") ?? "";
    return true;
  }

  endTag(name: string): void {
    if (name === "template" && this.templates > 0) this.templates -= 1;
  }

  isForeign(): boolean {
    return false;
  }

  isDone(): boolean {
    return this.content !== "";
  }
}
