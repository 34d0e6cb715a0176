import { pptx, shape } from "../../../test/support/office.ts";
import { readPptx } from "../../document/read-slides.ts";
import { failureOf, markdownOf, readAs } from "./markdown-of.ts";

const run = (text: string, look = "") => `<a:r><a:rPr ${look}/><a:t>${text}</a:t></a:r>`;
const point = (text: string, level = 0) => `<a:p><a:pPr lvl="${level}"/><a:r><a:t>${text}</a:t></a:r></a:p>`;
const cell = (text: string, spans = "") =>
  `<a:tc ${spans}><a:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></a:txBody></a:tc>`;
const frame = (inner: string) =>
  `<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="4" name="t"/><p:nvPr/></p:nvGraphicFramePr><a:graphic><a:graphicData>${inner}</a:graphicData></a:graphic></p:graphicFrame>`;

test.each([
  [
    "a title and points",
    shape("title", "Rivers") + shape("obj", point("North"), point("Cold", 1), point("South")),
    "## Rivers\n\n- North\n  - Cold\n- South",
  ],
  [
    "a title behind its text",
    shape("body", "<a:p><a:pPr><a:buNone/></a:pPr><a:r><a:t>Text.</a:t></a:r></a:p>") +
      shape("ctrTitle", "Late"),
    "# Late\n\nText.",
  ],
  [
    "numbered points of a text box",
    shape(
      "",
      "<a:p><a:pPr><a:buAutoNum type='arabicPeriod'/></a:pPr><a:r><a:t>One</a:t></a:r></a:p>",
      "<a:p><a:pPr><a:buAutoNum type='arabicPeriod'/></a:pPr><a:r><a:t>Two</a:t></a:r></a:p>",
    ),
    "1. One\n2. Two",
  ],
  [
    "runs",
    shape("", `<a:p>${run("a ")}${run("de", 'b="1"')}${run("ep", 'b="1"')}${run(" one")}</a:p>`),
    "a **deep** one",
  ],
  [
    "a table",
    frame(
      `<a:tbl><a:tr>${cell("Town")}${cell("People")}</a:tr><a:tr>${cell("Upford")}${cell("1 | 2")}</a:tr></a:tbl>`,
    ),
    "| Town | People |\n| --- | --- |\n| Upford | 1 \\| 2 |",
  ],
  ["a group", `<p:grpSp><p:grpSp>${shape("", "Deep.")}</p:grpSp></p:grpSp>`, "Deep."],
  [
    "numbers and dates of slides left out",
    shape("sldNum", "7") + shape("ftr", "Secret") + shape("dt", "May") + shape("", "Text."),
    "Text.",
  ],
  [
    "what is said of a picture",
    '<p:pic><p:nvPicPr><p:cNvPr id="3" name="Picture 3" descr="A mill at dusk"/><p:nvPr/></p:nvPicPr></p:pic>',
    "*A mill at dusk*",
  ],
  [
    "a name that a program gave left out",
    '<p:pic><p:nvPicPr><p:cNvPr id="3" name="x" descr="image7.png"/><p:nvPr/></p:nvPicPr></p:pic>',
    "",
  ],
])("%s", async (_name, shapes, markdown) => {
  expect(await markdownOf(pptx([{ shapes }]))).toBe(markdown);
});

test("slides come in the order of the presentation, with notes and without hidden ones", async () => {
  const document = pptx([
    { shapes: shape("title", "One"), notes: shape("body", "Say hello.") + shape("sldNum", "1") },
    { shapes: shape("title", "Draft"), isHidden: true },
    { shapes: shape("title", "Two") },
  ]);
  const { markdown, title } = await readAs(document);
  expect(markdown?.trim()).toBe("## One\n\n> Say hello.\n\n***\n\n## Two");
  expect(title).toBe("One");
});

test("links lead outside, and nowhere else", async () => {
  const link = (id: string, text: string) =>
    `<a:r><a:rPr><a:hlinkClick r:id="${id}"/></a:rPr><a:t>${text}</a:t></a:r>`;
  const shapes = shape("", `<a:p>${link("l1", "map")} ${link("l2", "file")}</a:p>`);
  const document = pptx([{ shapes, links: { l1: "https://map.example/", l2: "file:///etc/passwd" } }]);
  expect(await markdownOf(document)).toBe("[map](https://map.example/)file");
});

test("a chart is the table that it shows", async () => {
  const values = (name: string, points: string[]) =>
    `<c:${name}><c:cache>${points.map((value, at) => `<c:pt idx="${at}"><c:v>${value}</c:v></c:pt>`).join("")}</c:cache></c:${name}>`;
  const chart = `<c:chartSpace><c:chart><c:title><a:p><a:r><a:t>Sales</a:t></a:r></a:p></c:title><c:ser><c:tx><c:v>2025</c:v></c:tx>${values("cat", ["North", "South"])}${values("val", ["4.2999999999999998", "7"])}</c:ser></c:chart></c:chartSpace>`;
  const shapes = frame('<c:chart r:id="c1"/>');
  const document = pptx([{ shapes, links: { c1: "../charts/chart1.xml" } }], {
    "ppt/charts/chart1.xml": chart,
  });
  expect(await markdownOf(document)).toBe(
    "Sales\n\n|  | 2025 |\n| --- | --- |\n| North | 4.3 |\n| South | 7 |",
  );
});

test("a diagram is the list of its texts", async () => {
  const diagram = `<dgm:dataModel><dgm:ptLst><dgm:pt><dgm:t><a:p><a:r><a:t>Plan</a:t></a:r></a:p></dgm:t></dgm:pt><dgm:pt><dgm:t><a:p><a:r><a:t>Do</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:ptLst></dgm:dataModel>`;
  const document = pptx(
    [{ shapes: frame('<dgm:relIds r:dm="d1"/>'), links: { d1: "../diagrams/data1.xml" } }],
    {
      "ppt/diagrams/data1.xml": diagram,
    },
  );
  expect(await markdownOf(document)).toBe("- Plan\n- Do");
});

test("a formula is TeX", async () => {
  const math =
    "<a14:m><m:oMath><m:sSup><m:e><m:r><m:t>x</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:oMath></a14:m>";
  const shapes = shape(
    "",
    `<a:p>${run("So ")}<mc:AlternateContent><mc:Choice>${math}</mc:Choice><mc:Fallback>${math}</mc:Fallback></mc:AlternateContent></a:p>`,
  );
  expect(await markdownOf(pptx([{ shapes }]))).toBe("So $x^{2}$");
});

test("hostile presentations end", async () => {
  const deep = `${"<p:grpSp>".repeat(20_000)}${shape("", "x")}${"</p:grpSp>".repeat(20_000)}`;
  expect(readPptx(pptx([{ shapes: deep + shape("", "Near.") }]))).toMatchObject({
    isCut: true,
    html: expect.stringContaining("Near."),
  });
  const entities = `<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><p:sld><p:cSld><p:spTree>${shape("", "&b;x")}</p:spTree></p:cSld></p:sld>`;
  expect(readPptx(pptx([{ shapes: "" }], { "ppt/slides/slide1.xml": entities })).html).not.toContain("aaaa");
  const many = pptx([{ shapes: shape("", "One.") + shape("", "Two.").repeat(50) }]);
  expect(readPptx(many, 30)).toMatchObject({ isCut: true, html: expect.stringContaining("One.") });
  const bomb = pptx([{ shapes: "" }], { "ppt/slides/slide1.xml": " ".repeat(60_000_000) });
  expect(await failureOf(bomb)).toBe("broken");
  const parts = Object.fromEntries(
    Array.from({ length: 6000 }, (_, at) => [`ppt/slides/slide${at + 2}.xml`, "<x/>"]),
  );
  expect(await failureOf(pptx([{ shapes: "" }], parts))).toBe("broken");
  expect(
    await failureOf(
      pptx([]).subarray(0, 300),
      "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    ),
  ).toBe("broken");
});

test("a slide that refers to itself is read once", async () => {
  const rels =
    '<Relationships><Relationship Id="s0" Target="slides/slide1.xml"/><Relationship Id="s1" Target="slides/slide1.xml"/></Relationships>';
  const document = pptx([{ shapes: shape("", "Once.") }, { shapes: "" }], {
    "ppt/_rels/presentation.xml.rels": rels,
  });
  expect(await markdownOf(document)).toBe("Once.");
});
