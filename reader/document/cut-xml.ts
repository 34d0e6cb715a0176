import { SaxesParser } from "saxes";

const chunk = 64 * 1024;
const lessThan = 60;

/**
 * The beginning of an XML document with at most about so many tags: cut behind an element, with the end tags of what is
 * open there. Undefined for a document that has no more. Takes time that is linear in the limit.
 */
export function cutXml(bytes: Uint8Array, maxTags: number): Uint8Array | undefined {
  if (!hasMore(bytes, maxTags)) return undefined;
  const parser = new SaxesParser();
  const open: string[] = [];
  let tags = 0;
  let end: { position: number; open: string[] } | undefined;
  parser.on("error", () => undefined);
  parser.on("opentag", ({ name }) => {
    open.push(name);
    tags++;
  });
  parser.on("closetag", () => {
    open.pop();
    tags++;
    if (tags >= maxTags) end ??= { position: parser.position, open: open.slice() };
  });
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let text = "";
  for (let at = 0; at < bytes.length && end === undefined; at += chunk) {
    const piece = decoder.decode(bytes.subarray(at, at + chunk), { stream: true });
    text += piece;
    parser.write(piece);
  }
  if (end === undefined) return undefined;
  const closing = end.open.reverse().map(name => `</${name}>`);
  return new TextEncoder().encode(text.slice(0, end.position) + closing.join(""));
}

function hasMore(bytes: Uint8Array, maxTags: number): boolean {
  let left = maxTags;
  for (let at = bytes.indexOf(lessThan); at >= 0 && left >= 0; at = bytes.indexOf(lessThan, at + 1)) left--;
  return left < 0;
}
