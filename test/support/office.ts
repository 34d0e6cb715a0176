import { strToU8, zipSync } from "fflate";

const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/** An archive of parts. */
export function zip(parts: Record<string, string>): Buffer {
  const files = Object.entries(parts).map(([name, text]) => [name, strToU8(text)]);
  return Buffer.from(zipSync(Object.fromEntries(files)));
}

const w = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
const headings = [1, 2, 3].map(
  level => `<w:style w:type="paragraph" w:styleId="H${level}"><w:name w:val="heading ${level}"/></w:style>`,
);
const numbering = ["bullet", "decimal"].map(
  (format, id) =>
    `<w:abstractNum w:abstractNumId="${id}">${[0, 1]
      .map(level => `<w:lvl w:ilvl="${level}"><w:numFmt w:val="${format}"/></w:lvl>`)
      .join("")}</w:abstractNum>`,
);

interface Docx {
  /** By id. */
  links?: Record<string, string>;
  core?: string;
  more?: Record<string, string>;
}

/** A Word document with a body. Styles H1 to H3, lists 0 (bullets) and 1 (numbers). */
export function docx(body: string, { links = {}, core = "", more = {} }: Docx = {}): Buffer {
  const rels = Object.entries(links).map(
    ([id, url]) =>
      `<Relationship Id="${id}" Type="${relations}/hyperlink" Target="${url}" TargetMode="External"/>`,
  );
  const part = (name: string) =>
    `<Relationship Id="${name}" Type="${relations}/${name}" Target="${name}.xml"/>`;
  return zip({
    "[Content_Types].xml": `${xml}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
    "_rels/.rels": `${xml}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r" Type="${relations}/officeDocument" Target="word/document.xml"/></Relationships>`,
    "word/document.xml": `${xml}<w:document xmlns:w="${w}" xmlns:r="${relations}"><w:body>${body}</w:body></w:document>`,
    "word/_rels/document.xml.rels": `${xml}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${part("styles")}${part("numbering")}${rels.join("")}</Relationships>`,
    "word/styles.xml": `${xml}<w:styles xmlns:w="${w}">${headings.join("")}</w:styles>`,
    "word/numbering.xml": `${xml}<w:numbering xmlns:w="${w}">${numbering.join("")}<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num></w:numbering>`,
    "docProps/core.xml": `${xml}<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/">${core}</cp:coreProperties>`,
    ...more,
  });
}

/** A paragraph of a Word document. */
export function paragraph(text: string, { style = "", list = "" } = {}): string {
  const [id, level = "0"] = list.split(".");
  const number = list && `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${id}"/></w:numPr>`;
  const properties = `<w:pPr>${style && `<w:pStyle w:val="${style}"/>`}${number}</w:pPr>`;
  return `<w:p>${properties}${text.startsWith("<") ? text : `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`}</w:p>`;
}

interface Xlsx {
  /** Sheet data by name; the names of hidden ones begin with a point. */
  sheets: Record<string, string>;
  strings?: string;
  styles?: string;
  more?: Record<string, string>;
  prefix?: string;
}

export function xlsx({ sheets, strings = "", styles = "", more = {}, prefix = "" }: Xlsx): Buffer {
  const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
  const names = Object.keys(sheets);
  const at = prefix === "" ? `xmlns="${main}"` : `xmlns:${prefix.slice(0, -1)}="${main}"`;
  const list = names.map(
    (name, id) =>
      `<${prefix}sheet name="${name}" sheetId="${id + 1}" r:id="s${id}"${name.startsWith(".") ? ' state="hidden"' : ""}/>`,
  );
  return zip({
    "[Content_Types].xml": `${xml}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>`,
    "xl/workbook.xml": `${xml}<${prefix}workbook ${at} xmlns:r="${relations}"><${prefix}sheets>${list.join("")}</${prefix}sheets></${prefix}workbook>`,
    "xl/_rels/workbook.xml.rels": `${xml}<Relationships>${names.map((_, id) => `<Relationship Id="s${id}" Type="${relations}/worksheet" Target="worksheets/sheet${id + 1}.xml"/>`).join("")}</Relationships>`,
    "xl/sharedStrings.xml": `${xml}<sst ${at}>${strings}</sst>`,
    "xl/styles.xml": `${xml}<styleSheet ${at}>${styles}</styleSheet>`,
    ...Object.fromEntries(
      names.map((name, id) => [
        `xl/worksheets/sheet${id + 1}.xml`,
        `${xml}<${prefix}worksheet ${at} xmlns:r="${relations}">${sheets[name]}</${prefix}worksheet>`,
      ]),
    ),
    ...more,
  });
}

const drawing = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"';
const presentation = 'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"';

interface SlidePart {
  /** Shapes, as XML. */
  shapes: string;
  isHidden?: boolean;
  /** Shapes of its page of notes. */
  notes?: string;
  /** Targets by id. */
  links?: Record<string, string>;
}

/** A presentation of slides. */
export function pptx(slides: SlidePart[], more: Record<string, string> = {}): Buffer {
  const relation = (id: string, target: string, type = "slide") =>
    `<Relationship Id="${id}" Type="${relations}/${type}" Target="${target}"${/^https?:/.test(target) ? ' TargetMode="External"' : ""}/>`;
  const tree = (shapes: string) => `<p:cSld><p:spTree>${shapes}</p:spTree></p:cSld>`;
  const parts = slides.flatMap(({ shapes, isHidden, notes, links = {} }, at) => [
    [
      `ppt/slides/slide${at + 1}.xml`,
      `${xml}<p:sld ${drawing} ${presentation} xmlns:r="${relations}"${isHidden ? ' show="0"' : ""}>${tree(shapes)}</p:sld>`,
    ],
    [
      `ppt/slides/_rels/slide${at + 1}.xml.rels`,
      `${xml}<Relationships>${Object.entries(links)
        .map(([id, target]) => relation(id, target, "other"))
        .join(
          "",
        )}${notes ? relation("notes", `../notesSlides/notesSlide${at + 1}.xml`, "notesSlide") : ""}</Relationships>`,
    ],
    ...(notes
      ? [
          [
            `ppt/notesSlides/notesSlide${at + 1}.xml`,
            `${xml}<p:notes ${drawing} ${presentation}>${tree(notes)}</p:notes>`,
          ],
        ]
      : []),
  ]);
  return zip({
    "[Content_Types].xml": `${xml}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/ppt/presentation.xml" ContentType="application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml"/></Types>`,
    "ppt/presentation.xml": `${xml}<p:presentation ${presentation} xmlns:r="${relations}"><p:sldIdLst>${slides.map((_, at) => `<p:sldId id="${at + 256}" r:id="s${at}"/>`).join("")}</p:sldIdLst></p:presentation>`,
    "ppt/_rels/presentation.xml.rels": `${xml}<Relationships>${slides.map((_, at) => relation(`s${at}`, `slides/slide${at + 1}.xml`)).join("")}</Relationships>`,
    ...Object.fromEntries(parts),
    ...more,
  });
}

/** A shape of a slide with paragraphs (XML, or plain text). `kind`: that of its placeholder; empty for a text box. */
export function shape(kind: string, ...paragraphs: string[]): string {
  const place = kind === "" ? "" : `<p:ph${kind === "obj" ? ' idx="1"' : ` type="${kind}"`}/>`;
  const lines = paragraphs.map(text =>
    text.startsWith("<") ? text : `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`,
  );
  return `<p:sp><p:nvSpPr><p:cNvPr id="2" name="x"/><p:nvPr>${place}</p:nvPr></p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/>${lines.join("")}</p:txBody></p:sp>`;
}

interface OpenDocument {
  /** `text`, `presentation` or `spreadsheet`. */
  kind: "text" | "presentation" | "spreadsheet";
  body: string;
  /** Automatic styles. */
  styles?: string;
  meta?: string;
  more?: Record<string, string>;
}

/** A document of OpenDocument. Its lists `LN` are numbered, `LB` have bullets. */
export function openDocumentFile({ kind, body, styles = "", meta = "", more = {} }: OpenDocument): Buffer {
  const spaces = ["office", "text", "table", "style", "draw", "presentation", "meta"].map(
    name => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`,
  );
  const at = `${spaces.join(" ")} xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0" xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"`;
  const levels = (name: string, more: string) =>
    [1, 2].map(level => `<text:list-level-style-${name} text:level="${level}"${more}/>`).join("");
  const lists = `<text:list-style style:name="LN">${levels("number", ' style:num-format="1"')}</text:list-style><text:list-style style:name="LB">${levels("bullet", "")}</text:list-style>`;
  return zip({
    mimetype: `application/vnd.oasis.opendocument.${kind}`,
    "content.xml": `${xml}<office:document-content ${at}><office:automatic-styles>${lists}${styles}</office:automatic-styles><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
    "meta.xml": `${xml}<office:document-meta ${at}><office:meta>${meta}</office:meta></office:document-meta>`,
    ...more,
  });
}

interface Book {
  /** XHTML bodies by their names, in the order of the spine. */
  chapters: Record<string, string>;
  metadata?: string;
  more?: Record<string, string>;
}

/** A book with a table of contents. */
export function epub({ chapters, metadata = "", more = {} }: Book): Buffer {
  const names = Object.keys(chapters);
  const page = (body: string) =>
    `${xml}<html xmlns="http://www.w3.org/1999/xhtml"><head><title>A chapter</title><style>p { color: red }</style></head><body>${body}</body></html>`;
  return zip({
    mimetype: "application/epub+zip",
    "META-INF/container.xml": `${xml}<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`,
    "OEBPS/book.opf": `${xml}<package xmlns="http://www.idpf.org/2007/opf"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/">${metadata}</metadata><manifest><item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>${names.map((name, at) => `<item id="c${at}" href="${name}" media-type="application/xhtml+xml"/>`).join("")}</manifest><spine><itemref idref="nav"/>${names.map((_, at) => `<itemref idref="c${at}"/>`).join("")}</spine></package>`,
    "OEBPS/nav.xhtml": page("<nav><ol><li>Contents of the book</li></ol></nav>"),
    ...Object.fromEntries(
      names.map(name => [`OEBPS/${decodeURIComponent(name)}`, page(chapters[name] ?? "")]),
    ),
    ...more,
  });
}
