import { docx, paragraph } from "../../../test/support/office.ts";
import { markdownOf } from "./markdown-of.ts";

const space = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"';
const r = (text: string, look = "") => `<m:r>${look && `<m:rPr>${look}</m:rPr>`}<m:t>${text}</m:t></m:r>`;
const e = (content: string) => `<m:e>${content}</m:e>`;
const inLine = (content: string) => `<m:oMath ${space}>${content}</m:oMath>`;
const fraction = (num: string, den: string, look = "") =>
  `<m:f><m:fPr>${look}</m:fPr><m:num>${num}</m:num><m:den>${den}</m:den></m:f>`;
const matrix = (...rows: string[][]) =>
  `<m:m>${rows.map(row => `<m:mr>${row.map(cell => e(r(cell))).join("")}</m:mr>`).join("")}</m:m>`;
const delimited = (begin: string, end: string, content: string) =>
  `<m:d><m:dPr><m:begChr m:val="${begin}"/><m:endChr m:val="${end}"/></m:dPr>${content}</m:d>`;

test.each([
  ["a fraction", fraction(r("a+b"), r("2")), "\\frac{a+b}{2}"],
  ["a fraction in a line", fraction(r("a"), r("b"), '<m:type m:val="lin"/>'), "a/b"],
  [
    "scripts",
    `<m:sSubSup>${e(r("x"))}<m:sub>${r("i")}</m:sub><m:sup>${r("2")}</m:sup></m:sSubSup>`,
    "x_{i}^{2}",
  ],
  ["scripts of what is long", `<m:sSup>${e(r("a+b"))}<m:sup>${r("2")}</m:sup></m:sSup>`, "{a+b}^{2}"],
  [
    "scripts before",
    `<m:sPre><m:sub>${r("6")}</m:sub><m:sup>${r("14")}</m:sup>${e(r("C"))}</m:sPre>`,
    "{}_{6}^{14}C",
  ],
  ["a root", `<m:rad><m:radPr><m:degHide m:val="1"/></m:radPr><m:deg/>${e(r("x"))}</m:rad>`, "\\sqrt{x}"],
  ["a root of a degree", `<m:rad><m:deg>${r("3")}</m:deg>${e(r("x"))}</m:rad>`, "\\sqrt[3]{x}"],
  [
    "a sum",
    `<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>${r("i=1")}</m:sub><m:sup>${r("n")}</m:sup>${e(r("i"))}</m:nary>`,
    "\\sum_{i=1}^{n} i",
  ],
  [
    "an integral, which is the default",
    `<m:nary><m:naryPr><m:supHide m:val="on"/></m:naryPr><m:sub>${r("V")}</m:sub><m:sup/>${e(r("f"))}</m:nary>`,
    "\\int_{V} f",
  ],
  ["parentheses", `<m:d>${e(r("a"))}</m:d>`, "\\left(a\\right)"],
  ["a value", delimited("|", "|", e(r("x"))), "\\left|x\\right|"],
  [
    "a matrix",
    delimited("[", "]", e(matrix(["a", "b"], ["c", "d"]))),
    "\\begin{bmatrix}a & b \\\\ c & d\\end{bmatrix}",
  ],
  [
    "cases",
    delimited("{", "", e(`<m:eqArr>${e(r("1 &amp; x&gt;0"))}${e(r("0"))}</m:eqArr>`)),
    "\\begin{cases}1 & x>0 \\\\ 0\\end{cases}",
  ],
  ["a choice", `<m:d>${e(fraction(r("n"), r("k"), '<m:type m:val="noBar"/>'))}</m:d>`, "\\binom{n}{k}"],
  [
    "accents",
    `<m:acc><m:accPr><m:chr m:val="⃗"/></m:accPr>${e(r("v"))}</m:acc><m:acc>${e(r("x"))}</m:acc>`,
    "\\vec{v}\\hat{x}",
  ],
  ["bars", `<m:bar><m:barPr><m:pos m:val="top"/></m:barPr>${e(r("x"))}</m:bar>`, "\\overline{x}"],
  [
    "functions",
    `<m:func><m:fName>${r("sin", '<m:sty m:val="p"/>')}</m:fName>${e(r("x"))}</m:func>`,
    "\\sin x",
  ],
  [
    "functions of other names",
    `<m:func><m:fName>${r("sgn", '<m:sty m:val="p"/>')}</m:fName>${e(r("x"))}</m:func>`,
    "\\operatorname{sgn} x",
  ],
  [
    "a limit",
    `<m:func><m:fName><m:limLow>${e(r("lim", '<m:sty m:val="p"/>'))}<m:lim>${r("n→∞")}</m:lim></m:limLow></m:fName>${e(r("x"))}</m:func>`,
    "\\lim_{n\\rightarrow\\infty} x",
  ],
  ["a brace", `<m:groupChr>${e(r("a"))}</m:groupChr>`, "\\underbrace{a}"],
  ["words", r("if ", "<m:nor/>") + r("x"), "\\text{if }x"],
  ["signs and letters", r("α≤β·𝑥∈ℝ 50%"), "\\alpha\\leq\\beta\\cdot x\\in\\mathbb{R} 50\\%"],
  ["a box of unknown kind", `<m:unknown>${e(r("x"))}</m:unknown>`, "x"],
])("%s", async (_name, content, tex) => {
  expect(await markdownOf(docx(paragraph(inLine(content))))).toBe(`$${tex}$`);
});

test("formulas have their places in the text, and on lines of their own", async () => {
  const before = '<w:r><w:t xml:space="preserve">As </w:t></w:r>';
  const body =
    paragraph(`${before}${inLine(r("a"))}<w:r><w:t>.</w:t></w:r>`) +
    `<w:p><m:oMathPara ${space}><m:oMath>${r("b")}</m:oMath></m:oMathPara></w:p>`;
  expect(await markdownOf(docx(body))).toBe("As $a$.\n\n$$\nb\n$$");
});

test("quotations, definitions and code have their names in styles", async () => {
  const names = ["Block Text", "Definition Term", "Definition", "Source Code"];
  const styles = names.map(
    (name, at) => `<w:style w:type="paragraph" w:styleId="N${at}"><w:name w:val="${name}"/></w:style>`,
  );
  const w = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
  const body = ["One.", "Mill", "It grinds.", "x = 1"]
    .map((text, at) => paragraph(text, { style: `N${at}` }))
    .join("");
  const document = docx(body, {
    more: { "word/styles.xml": `<w:styles xmlns:w="${w}">${styles.join("")}</w:styles>` },
  });
  expect(await markdownOf(document)).toBe("> One.\n\n**Mill**\n\n- It grinds.\n\n```\nx = 1\n```");
});

test("what is said of a picture has its place, once", async () => {
  const picture = (text: string) =>
    `<w:r><w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"><wp:docPr id="1" name="Picture 1" descr="${text}"/><a:graphic xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:graphicData><pic:pic xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:blipFill><a:blip r:embed="l1"/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`;
  const body =
    paragraph(picture("A mill &lt;at&gt; dusk")) +
    paragraph(picture("A weir")) +
    paragraph("A weir") +
    paragraph(picture("image1.png"));
  expect(await markdownOf(docx(body, { links: { l1: "media/image1.png" } }))).toBe(
    "*A mill \\<at> dusk*\n\nA weir",
  );
});

test("hostile formulas end", async () => {
  const deep = `${"<m:sSup><m:e>".repeat(5000)}${r("x")}${"</m:e></m:sSup>".repeat(5000)}`;
  expect(await markdownOf(docx(paragraph(inLine(deep)) + paragraph("After.")))).toContain("After.");
  const long = await markdownOf(docx(paragraph(inLine(r("α".repeat(200_000))))));
  expect(long.length).toBeGreaterThan(1_000_000);
  expect(
    await markdownOf(docx(paragraph(`<m:oMath ${space}></m:oMath>`) + paragraph("\ue0f07\ue0f1 x"))),
  ).toBe("x");
});
