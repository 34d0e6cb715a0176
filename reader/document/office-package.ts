import type { Parts } from "./archive.ts";
import type { DocumentFacts } from "./document-html.ts";
import { readXml } from "./read-xml.ts";

const factNames: Record<string, keyof DocumentFacts> = {
  "dc:title": "title",
  "dc:creator": "author",
  "dc:description": "description",
  "cp:keywords": "keywords",
  "dc:language": "language",
  "dcterms:created": "created",
  "dcterms:modified": "modified",
};

/** What an office document says of itself (ISO/IEC 29500-2, 8.2). */
export function officeFacts(parts: Parts): DocumentFacts {
  return readFacts(parts["docProps/core.xml"], factNames);
}

const maxFact = 2000;

const listed: ReadonlySet<keyof DocumentFacts> = new Set(["author", "keywords"]);

/** Facts from the texts of elements, by their names. Of several elements of a name the first counts; authors are a list. */
export function readFacts(
  bytes: Uint8Array | undefined,
  names: Record<string, keyof DocumentFacts>,
): DocumentFacts {
  const facts: DocumentFacts = {};
  let open: { name: keyof DocumentFacts; text: string } | undefined;
  readXml(bytes, {
    open: tag => {
      const name = names[tag];
      open = name && { name, text: "" };
    },
    text: text => {
      if (open && open.text.length < maxFact) open.text += text;
    },
    close: () => {
      const text = open?.text.trim().slice(0, maxFact) ?? "";
      if (open && text !== "") {
        const known = facts[open.name];
        if (known === undefined) facts[open.name] = text;
        else if (listed.has(open.name) && known.length < maxFact) facts[open.name] = `${known}, ${text}`;
      }
      open = undefined;
    },
  });
  // Office separates several by semicolons.
  if (facts.author !== undefined) facts.author = facts.author.replace(/\s*;\s*/g, ", ");
  return facts;
}

/** Parts or addresses by the ids of a relationship part; parts are relative to `base`. */
export function readTargets(rels: Uint8Array | undefined, base: string): Map<string, string> {
  const targets = new Map<string, string>();
  readXml(rels, {
    open: (_, { Id, Target = "", TargetMode }) => {
      if (Id === undefined) return;
      const isPart = TargetMode !== "External";
      targets.set(Id, isPart ? (URL.parse(Target, `file:///${base}`)?.pathname.slice(1) ?? "") : Target);
    },
  });
  return targets;
}

/** The relationships of a part. */
export function targetsOf(parts: Parts, path: string): Map<string, string> {
  return readTargets(parts[path.replace(/([^/]*)$/, "_rels/$1.rels")], path.replace(/[^/]*$/, ""));
}

const generated = /\s*(?:Description automatically generated|AI-generated content may be incorrect\.).*$/is;
const nameless =
  /^(?:(?:picture|image|graphic|grafik|bild|object|placeholder|chart)\s*\d*|[^\s]+\.(?:png|jpe?g|gif|emf|wmf|svg|bmp|tiff?))$/i;

/** What is said of a picture in its place; empty where it is only a name that a program gave. */
export function pictureText(description: string | undefined): string {
  const text = (description ?? "").replace(generated, "").trim();
  return nameless.test(text) ? "" : text;
}
