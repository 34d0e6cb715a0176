import type { PdfText } from "./pdf-lines.ts";
import type { Items, Page } from "./pdf-source.ts";

/** Fonts are known only after all of a page was interpreted, which may be slow; most documents have theirs on the first pages. */
const maxFontPages = 20;

type FontStyle = Pick<PdfText, "bold" | "italic" | "mono" | "math">;

const plain: FontStyle = { bold: false, italic: false, mono: false };

/** The styles of a document's fonts, by pdf.js' names for them. */
export class Fonts {
  private readonly families = new Map<string, string>();
  private readonly styles = new Map<string, FontStyle>();
  /** Fonts whose large signs have no names that say what they are. */
  private readonly largeSigns = new Set<string>();
  private interpreted = 0;

  addFamilies(styles: Items["styles"]): void {
    for (const [name, { fontFamily }] of Object.entries(styles)) this.families.set(name, fontFamily);
  }

  style(name: string): FontStyle {
    return this.styles.get(name) ?? { ...plain, mono: this.families.get(name) === "monospace" };
  }

  /** What a text means where its font has signs of its own, and without characters that nothing shows. */
  written(text: string, name: string): string {
    const signs = this.largeSigns.has(name) ? [...text].map(sign => largeSigns[sign] ?? sign).join("") : text;
    return signs
      .replace(bulletOfTex, "•")
      .replace(unprintable, "")
      .replace(verticalForm, form => form.normalize("NFKC"));
  }

  /** Interprets the page when it has fonts that are not known. */
  async load(page: Page, names: Set<string>): Promise<void> {
    const unknown = [...names].filter(name => !this.styles.has(name));
    if (unknown.length === 0 || this.interpreted >= maxFontPages) return;
    this.interpreted += 1;
    await page.getOperatorList();
    for (const name of unknown) if (page.commonObjs.has(name)) this.styles.set(name, this.read(page, name));
  }

  private read(page: Page, id: string): FontStyle {
    const font = page.commonObjs.get(id) as Partial<Record<"name" | "bold" | "black" | "italic", unknown>>;
    const name = String(font.name ?? "").replace(/^[A-Z]{6}\+/, "");
    if (/^(cm|lm)ex/i.test(name)) this.largeSigns.add(id);
    const math = mathFont.test(name);
    return {
      bold: font.bold === true || font.black === true || boldName.test(name),
      // Letters of formulas are slanted without being emphasised.
      italic: !math && (font.italic === true || italicName.test(name)),
      mono:
        /mono|courier|consol|menlo|typewriter|^(cm|sf)tt/i.test(name) ||
        this.families.get(id) === "monospace",
      ...(math && { math }),
    };
  }
}

/** Fonts of TeX have short names: CMBX12 is bold, CMTI10 italic. */
const boldName = /bold|black|heavy|demi|-(b|bi|bx)$|^(cm|sf)(ss)?b/i;
const italicName = /ital|obli|^(cm|sf)(ti|sl|bxti|bxsl|ssi)/i;
const mathFont =
  /^(cm(mi|mib|sy|bsy|ex)\d|lmmath|lm(mi|sy|ex)\d|ms[ab]m\d|eu[fs][mb]\d|rsfs|stmary|wasy|mt(mi|sy|ex)|(tx|px|new(tx|px))(mi|sy|ex))|math\b/i;

/** The bullet of TeX's companion fonts (TS1), in fonts that do not name their signs. */
const bulletOfTex = /^\x88$/;
/** Signs of punctuation as vertical lines show them. */
const verticalForm = /[\ufe10-\ufe19\ufe30-\ufe48]/g;
const unprintable = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufffe\uffff]/g;

/** Large signs of Computer Modern by their places in the font (The TeXbook, appendix F). */
const largeSigns: Record<string, string> = {
  ...{ P: "∑", X: "∑", Q: "∏", Y: "∏", R: "∫", Z: "∫", "`": "∐", a: "∐" },
  ...{ S: "⋃", "[": "⋃", T: "⋂", "\\": "⋂", V: "⋀", "^": "⋀", W: "⋁", _: "⋁" },
  ...{ L: "⨁", M: "⨁", N: "⨂", O: "⨂", p: "√", q: "√", r: "√", s: "√" },
  ...{ "\x10": "(", "\x11": ")", "\x12": "(", "\x13": ")", "\x14": "[", "\x15": "]" },
  ...{ "\x00": "(", "\x01": ")", "\x02": "[", "\x03": "]", "\x08": "{", "\x09": "}" },
};
