import { isoDuration, minutesIn } from "./durations.ts";
import { parseNumber } from "./numbers.ts";
import { wordsOf } from "./text-of.ts";

/** How a unit is written behind a number, and how many of its dimension's smallest unit it is. */
interface Unit {
  dimension: string;
  factor: number;
  /** What a page writes, as the source of an expression. */
  written: string;
}

const unit = (dimension: string, factor: number, written: string): Unit => ({ dimension, factor, written });

const units = {
  m2: unit("area", 1, "m²|m2|sqm|sq\\.?\\s?m(?:et(?:er|re)s?)?\\.?|square met(?:er|re)s?|qm|mq|m\\^2"),
  sqft: unit("area", 0.09290304, "sq\\.?\\s?f(?:ee)?t\\.?|sqft|ft²|square feet"),
  ha: unit("area", 10_000, "ha|hectares?|hektar"),
  acre: unit("area", 4046.8564224, "acres?"),
  km: unit("length", 1000, "km|kilomet(?:er|re)s?|kilómetros|kilometri"),
  mi: unit("length", 1609.344, "mi|miles?|meilen"),
  m: unit("length", 1, "m|met(?:er|re)s?|metros|metri|mètres"),
  cm: unit("length", 0.01, "cm|centimet(?:er|re)s?"),
  mm: unit("length", 0.001, "mm|millimet(?:er|re)s?"),
  in: unit("length", 0.0254, 'in\\.?|inch(?:es)?|zoll|″|"'),
  ft: unit("length", 0.3048, "ft\\.?|feet|foot"),
  kg: unit("mass", 1, "kg|kilos?|kilograms?|kilogramm"),
  g: unit("mass", 0.001, "g|grams?|gramm|grammes"),
  lb: unit("mass", 0.45359237, "lbs?\\.?|pounds?"),
  oz: unit("mass", 0.028349523, "oz\\.?|ounces?"),
  l: unit("volume", 1, "l|lit(?:er|re)s?|litros|litri"),
  ml: unit("volume", 0.001, "ml|millilit(?:er|re)s?"),
  gb: unit("data", 1, "GB|Go|gigabytes?"),
  mb: unit("data", 0.001, "MB|Mo|megabytes?"),
  tb: unit("data", 1000, "TB|To|terabytes?"),
  kw: unit("power", 1000, "kW|kilowatts?"),
  w: unit("power", 1, "W|watts?"),
  hp: unit("horses", 1, "hp|bhp|PS|ch|CV"),
  kwh: unit("energy", 1, "kWh"),
  kmh: unit("speed", 1, "km/h|kmh|kph"),
  mph: unit("speed", 1.609344, "mph"),
  percent: unit("share", 1, "%|percent|prozent|pour cent|por ciento"),
  month: unit("months", 1, "mon\\.?|months?|monate?n?|mois|mes(?:es)?|mes[ei]|maand(?:en)?|mths?"),
  year: unit("months", 12, "years?|yrs?|jahre?n?|ans?|años?|ann[oi]|jaar"),
  kcal: unit("calories", 1, "kcal|cal(?:ories)?"),
} satisfies Record<string, Unit>;

const times = { s: 1 / 60, min: 1, h: 60, d: 1440, week: 10_080 };
const unitNames = [...Object.keys(units), ...Object.keys(times)] as (
  | keyof typeof units
  | keyof typeof times
)[];
export type UnitName = (typeof unitNames)[number];

export function isUnit(name: unknown): name is UnitName {
  return unitNames.some(known => known === name);
}

export const knownUnits: readonly string[] = unitNames;

/** How programs write a unit at the end of a name: `prep_minutes`, `areaSqm`. */
const suffixes: Record<string, UnitName> = {
  ...{ m2: "m2", sqm: "m2", "sq m": "m2", "square meters": "m2", "square metres": "m2", qm: "m2" },
  ...{ sqft: "sqft", "sq ft": "sqft", "square feet": "sqft", ha: "ha", hectares: "ha", acres: "acre" },
  ...{
    km: "km",
    kilometers: "km",
    kilometres: "km",
    miles: "mi",
    mi: "mi",
    m: "m",
    meters: "m",
    metres: "m",
  },
  ...{ cm: "cm", mm: "mm", inches: "in", inch: "in", feet: "ft", ft: "ft" },
  ...{ kg: "kg", g: "g", grams: "g", gram: "g", lb: "lb", lbs: "lb", pounds: "lb", oz: "oz" },
  ...{ l: "l", liters: "l", litres: "l", ml: "ml", gb: "gb", mb: "mb", tb: "tb" },
  ...{
    kw: "kw",
    watts: "w",
    watt: "w",
    hp: "hp",
    ps: "hp",
    kwh: "kwh",
    kmh: "kmh",
    "km h": "kmh",
    mph: "mph",
  },
  ...{ percent: "percent", pct: "percent", percentage: "percent", prozent: "percent" },
  ...{ months: "month", monate: "month", years: "year", jahre: "year", kcal: "kcal" },
  ...{ seconds: "s", secs: "s", sec: "s", minutes: "min", mins: "min", min: "min", minuten: "min" },
  ...{ hours: "h", hrs: "h", stunden: "h", days: "d", tage: "d", weeks: "week" },
};

/** The unit that a name ends with, and the rest of it; the rest is empty where the name is a unit. */
export function unitOf(name: string): { unit: UnitName; stem: string } | undefined {
  const words = wordsOf(name);
  for (const count of [2, 1]) {
    const unit = words.length >= count ? suffixes[words.slice(-count).join(" ")] : undefined;
    const stem = words.slice(0, -count);
    if (unit === undefined || (stem.length === 0 && !/^(?:min|h|d|km|percent|m2)$/.test(unit))) continue;
    // `amount_min` is the least of it.
    if (
      /min$/i.test(name) &&
      !/prep|cook|bak|total|duration|time|read|run|wait|travel|walk|rest|length/i.test(stem.join(" "))
    )
      continue;
    return { unit, stem: stem.filter(word => word !== "in").join(" ") };
  }
  return undefined;
}

/**
 * The number of a text in a unit. A text may write it in another unit of the dimension, or without any if it is a
 * number alone. With `isStated` the unit must be there.
 */
export function measureIn(
  text: string,
  name: UnitName,
  language: string,
  isStated = false,
): number | undefined {
  const short = text.slice(0, 200);
  const found = name in times ? timeIn(short, name) : amountIn(short, name as keyof typeof units, language);
  if (found !== undefined || isStated) return found;
  return /^\s*[-+\u2212]?[\d.,'’\s]+\s*$/.test(short) ? parseNumber(short, language) : undefined;
}

function timeIn(text: string, name: UnitName): number | undefined {
  const minutes = minutesIn(clockOf(text));
  const factor = times[name as keyof typeof times];
  return minutes === undefined ? undefined : round(minutes / factor);
}

const ofTimes: Record<string, RegExp> = {
  s: /\d\s?(?:s|secs?|seconds?|sek\.?|sekunden?)(?!\p{L})/iu,
  min: /\d\s?(?:m|mins?|minutes?|min\.|minuten?|minutos?|minuti)(?!\p{L})/iu,
  h: /\d\s?(?:h|hrs?|hours?|std\.?|stunden?|heures?|horas?|or[ae]|uur)(?!\p{L})/iu,
  d: /\d\s?(?:days?|tage?n?|jours?|d[ií]as?|giorn[io]|dag(?:en)?)(?!\p{L})/iu,
};

/** Whether a text names the unit itself, and not another one of its dimension. */
export function statesUnit(text: string, name: UnitName): boolean {
  return (ofTimes[name] ?? expressionOf(name as keyof typeof units)).test(text);
}

/** `2:33 h` are hours and minutes. */
function clockOf(text: string): string {
  return text.replace(
    /(?<![\d:])(\d{1,2}):([0-5]\d)\s?(?:h|hrs?|hours?|std\.?|stunden)(?!\p{L})/iu,
    (_, hours, minutes) => isoDuration(Number(hours) * 60 + Number(minutes)),
  );
}

const number = "(?<![\\p{L}\\p{N}.,])[-+\\u2212]?\\d(?:[\\d.,'’]|[ \\u00a0\\u2009\\u202f](?=\\d{3}(?!\\d)))*";
const expressions = new Map<string, RegExp>();

function expressionOf(name: keyof typeof units): RegExp {
  const known = expressions.get(name);
  if (known) return known;
  // Single letters are units in lower case alone: `5 M` is no length.
  const flags = /^(?:m|g|l|w|kw|kwh|gb|mb|tb)$/.test(name) ? "u" : "iu";
  if (!(name in units)) return /(?!)/;
  const made = new RegExp(`(${number})\\s?(?:${units[name].written})(?![\\p{L}\\p{N}²/])`, flags);
  expressions.set(name, made);
  return made;
}

function amountIn(text: string, name: keyof typeof units, language: string): number | undefined {
  const own = expressionOf(name).exec(text)?.[1];
  if (own !== undefined) return parseNumber(own, language);
  const { dimension, factor } = units[name];
  for (const other of Object.keys(units) as (keyof typeof units)[]) {
    if (units[other].dimension !== dimension) continue;
    const found = expressionOf(other).exec(text)?.[1];
    const value = found === undefined ? undefined : parseNumber(found, language);
    if (value !== undefined) return round((value * units[other].factor) / factor);
  }
  return undefined;
}

function round(value: number): number {
  return Number(value.toPrecision(10));
}
