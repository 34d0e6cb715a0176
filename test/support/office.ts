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
