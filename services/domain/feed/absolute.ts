/** A link made absolute; undefined when it does not lead to the web. */
export function absoluteUrl(link: string | undefined, base: string): string | undefined {
  if (link === undefined || link === "") return undefined;
  const url = URL.parse(link.trim(), base);
  return url && /^https?:$/.test(url.protocol) ? url.href : undefined;
}

/** A base that may be relative to the one around it (XML Base, 3.1). */
export function nestedBase(declared: string | undefined, outer: string): string {
  return (declared === undefined ? undefined : URL.parse(declared, outer)?.href) ?? outer;
}

const linkAttribute = /(<[a-z][^<>]*?\s(?:href|src|poster)\s*=\s*)(["'])([^"'<>]*)\2/gi;

/** HTML whose relative links and pictures are absolute. */
export function absoluteHtml(html: string, base: string): string {
  return html.replace(linkAttribute, (whole, lead: string, quote: string, value: string) => {
    if (value === "" || /^([a-z][a-z0-9+.-]*:|#)/i.test(value)) return whole;
    const url = URL.parse(value.replaceAll("&amp;", "&"), base);
    return url
      ? `${lead}${quote}${url.href.replaceAll("&", "&amp;").replaceAll("'", "&#39;")}${quote}`
      : whole;
  });
}
