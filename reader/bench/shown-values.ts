import { type ElementNode, isElement } from "../html/tree.ts";
import { minutesOf, signs, spellings, wordsOf } from "./right-values.ts";
import type { Kind } from "./stated-fields.ts";

/** The text that a page shows, and what of a stated value is in it. */
export class Shown {
  private readonly text: string;
  private readonly words: string;
  private readonly days: string;

  constructor(tree: ElementNode) {
    this.text = textOf(tree).replace(/\s+/g, " ");
    this.words = ` ${wordsOf(this.text)} `;
    this.days = datetimes(tree).join(" ");
  }

  filter(kind: Kind, stated: string[]): string[] {
    if (kind === "texts" || kind === "steps")
      return stated.length > 1 && stated.every(text => this.says(text)) ? stated : [];
    if (kind === "day") return this.shownDays(stated);
    if (kind === "price")
      return stated.slice(0, 1).filter(text => Number(text) > 0 && this.showsNumber(text));
    if (kind === "rating") return stated.slice(0, 1).filter(text => this.showsRating(Number(text)));
    if (kind === "minutes") return stated.slice(0, 1).filter(text => this.showsMinutes(minutesOf(text) ?? 0));
    if (kind === "count")
      return stated
        .slice(0, 1)
        .flatMap(text => /\d+/.exec(text)?.[0] ?? [])
        .filter(text => this.says(text));
    if (kind === "moment") return this.shownMoment(stated[0] ?? "");
    if (kind === "amounts") return stated.slice(0, 1).filter(text => this.showsNumber(text));
    if (kind === "choice")
      return stated.slice(0, 1).filter(text => spellings[text]?.some(words => this.says(words)));
    if (kind === "currency") return stated.slice(0, 1).filter(text => this.showsCurrency(text.toUpperCase()));
    return stated.filter(text => this.says(text)).filter(text => !/^https?:/.test(text));
  }

  private showsMinutes(minutes: number): boolean {
    const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
    const long = `${hours}\\s?(?:h|std|stunde|ora|uur)\\p{L}*\\.?(?:\\s${rest}\\s?m)`;
    const forms = [
      `${minutes}\\s?m`,
      ...(hours === 0 ? [] : [rest === 0 ? `${hours}\\s?(?:h|std|stunde|ora|uur)` : long]),
    ];
    return minutes > 0 && forms.some(form => new RegExp(`(?<![\\d.,])${form}`, "iu").test(this.text));
  }

  /** The moment; also its day and time alone where the page does not say in which zone they are. */
  private shownMoment(stated: string): string[] {
    const [, day = "", hour = "", minute = ""] = /^(\d{4}-\d\d-\d\d)T(\d\d):(\d\d)/.exec(stated) ?? [];
    if (day === "" || !this.showsDay(day)) return [];
    const [whole, half] = [Number(hour), Number(hour) % 12 || 12];
    const time = new RegExp(`(?<!\\d)(?:0?${whole}|${half})[:.h]${minute}(?!\\d)`);
    if (!time.test(this.text)) return [];
    const isZoned = this.days.includes(stated) || /\d\s*(?:[ap]m\s*)?(?:EST|CET|GMT|UTC)\b/i.test(this.text);
    return isZoned ? [stated] : [stated, stated.slice(0, 16)];
  }

  private says(text: string): boolean {
    return wordsOf(text) !== "" && this.words.includes(` ${wordsOf(text)} `);
  }

  private showsNumber(text: string): boolean {
    const [whole = "", cents = ""] = Number(text).toFixed(2).split(".");
    const grouped = whole.replace(/\B(?=(\d{3})+$)/g, "[.,'  ]?");
    return new RegExp(
      `(?<![\\d.,])${grouped}(?:[.,]${cents}${cents === "00" ? "|[.,]-" : ""})${cents === "00" ? "?" : ""}(?![\\d])`,
    ).test(this.text);
  }

  private showsRating(value: number): boolean {
    if (!(value > 0 && value <= 100)) return false;
    const spelled = [...new Set([String(value), value.toFixed(1), value.toFixed(2)])].flatMap(text => [
      text,
      text.replace(".", ","),
    ]);
    return spelled.some(text => {
      const number = text.replace(/[.,]/g, mark => (mark === "." ? "\\." : mark));
      const isPlain = !/[.,]/.test(text);
      return new RegExp(
        `(?<![\\d.,])${number}${isPlain ? "\\s*(?:/|out of|of|stars?|von)\\s*\\d*" : "(?![\\d.,]\\d)"}`,
        "i",
      ).test(this.text);
    });
  }

  private showsCurrency(code: string): boolean {
    return new RegExp(`\\b${code}\\b`).test(this.text) || signs[code]?.test(this.text) === true;
  }

  /** A day in UTC may be another one where the page was written. */
  private shownDays(stated: string[]): string[] {
    const [text = ""] = stated;
    const day = /^\d{4}-\d\d-\d\d/.exec(text)?.[0];
    if (day === undefined || Number.isNaN(Date.parse(day))) return [];
    const near = text.length > 10 ? [0, -1, 1] : [0];
    const days = near.map(shift => new Date(Date.parse(day) + shift * 86_400_000).toISOString().slice(0, 10));
    return days.some(each => this.showsDay(each)) ? days : [];
  }

  private showsDay(day: string): boolean {
    if (this.days.includes(day)) return true;
    const date = new Date(`${day}T12:00:00Z`);
    const [year = "", month = "", date2 = ""] = day.split("-");
    const named = ["en-US", "en-GB", "de", "fr", "es", "it", "pt", "nl"].flatMap(language =>
      (["long", "medium"] as const).map(dateStyle =>
        new Intl.DateTimeFormat(language, { dateStyle, timeZone: "UTC" }).format(date),
      ),
    );
    const numeric = ["/", ".", "-"].flatMap(mark =>
      [
        [date2, month],
        [month, date2],
      ].flatMap(pair => [
        [...pair, year].join(mark),
        [...pair.map(part => String(Number(part))), year].join(mark),
      ]),
    );
    return (
      [...named.map(text => wordsOf(text))].some(text => this.words.includes(` ${text} `)) ||
      [day, ...numeric].some(text => this.text.includes(text))
    );
  }
}

function textOf(element: ElementNode): string {
  if (/^(head|noscript|title|select|textarea)$/.test(element.name)) return "";
  return element.childNodes.map(node => (isElement(node) ? ` ${textOf(node)} ` : node.text)).join("");
}

function datetimes(element: ElementNode): string[] {
  const own = element.name === "time" ? [element.getAttribute("datetime")] : [];
  return [...own, ...element.childNodes.flatMap(node => (isElement(node) ? datetimes(node) : []))];
}
