const types = "http://schemas.openxmlformats.org/package/2006/content-types";
const package_ = "http://schemas.openxmlformats.org/package/2006/relationships";
const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const of = "application/vnd.openxmlformats-officedocument";
const spaces = `xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:r="${office}"`;

/** The parts without which other readers open no presentation: types, relations, and a layout of the slides. */
export function presentationParts(slides: { hasNotes: boolean }[]): Record<string, string> {
  const names = slides.map((_, at) => `slide${at + 1}`);
  const ofSlide = slides.map(({ hasNotes }, at) => {
    const notes = hasNotes ? [["notesSlide", `../notesSlides/notesSlide${at + 1}.xml`] as const] : [];
    return [
      `ppt/slides/_rels/slide${at + 1}.xml.rels`,
      relations([["slideLayout", "../slideLayouts/layout.xml"], ...notes]),
    ];
  });
  const noted = slides.flatMap(({ hasNotes }, at) => (hasNotes ? [`notesSlide${at + 1}`] : []));
  const empty = "<p:cSld><p:spTree/></p:cSld>";
  return {
    "[Content_Types].xml": contentTypes({
      "ppt/presentation.xml": "presentationml.presentation.main",
      "ppt/slideLayouts/layout.xml": "presentationml.slideLayout",
      "ppt/slideMasters/master.xml": "presentationml.slideMaster",
      ...Object.fromEntries(names.map(name => [`ppt/slides/${name}.xml`, "presentationml.slide"])),
      ...Object.fromEntries(noted.map(name => [`ppt/notesSlides/${name}.xml`, "presentationml.notesSlide"])),
    }),
    "_rels/.rels": relations([["officeDocument", "ppt/presentation.xml"]]),
    "ppt/_rels/presentation.xml.rels": relations(
      names.map(name => ["slide", `slides/${name}.xml`]),
      "s",
    ),
    "ppt/slideLayouts/layout.xml": `<p:sldLayout ${spaces}>${empty}</p:sldLayout>`,
    "ppt/slideLayouts/_rels/layout.xml.rels": relations([["slideMaster", "../slideMasters/master.xml"]]),
    "ppt/slideMasters/master.xml": `<p:sldMaster ${spaces}>${empty}</p:sldMaster>`,
    ...Object.fromEntries(ofSlide),
  };
}

/** A workbook of one sheet, likewise. */
export const workbookParts: Record<string, string> = {
  "[Content_Types].xml": contentTypes({
    "xl/workbook.xml": "spreadsheetml.sheet.main",
    "xl/worksheets/sheet1.xml": "spreadsheetml.worksheet",
    "xl/styles.xml": "spreadsheetml.styles",
    "xl/sharedStrings.xml": "spreadsheetml.sharedStrings",
  }),
  "_rels/.rels": relations([["officeDocument", "xl/workbook.xml"]]),
  "xl/_rels/workbook.xml.rels": relations(
    [
      ["worksheet", "worksheets/sheet1.xml"],
      ["styles", "styles.xml"],
      ["sharedStrings", "sharedStrings.xml"],
    ],
    "s",
  ),
};

function contentTypes(parts: Record<string, string>): string {
  const named = Object.entries(parts).map(
    ([name, type]) => `<Override PartName="/${name}" ContentType="${of}.${type}+xml"/>`,
  );
  return `<Types xmlns="${types}"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${named.join("")}</Types>`;
}

/** Their ids are the prefix and a number from 0. */
function relations(targets: (readonly [type: string, target: string])[], prefix = "r"): string {
  const each = targets.map(
    ([type, target], at) => `<Relationship Id="${prefix}${at}" Type="${office}/${type}" Target="${target}"/>`,
  );
  return `<Relationships xmlns="${package_}">${each.join("")}</Relationships>`;
}
