const hour = "(?:h|hrs?|hours?|std\\.?|stunden?|heures?|horas?|or[ae]|uur|uren)";
const minute = "(?:m|mins?|minutes?|min\\.|minuten?|minutos?|minuti|minuto)";
const day = "(?:d|days?|tage?n?|jours?|d[ií]as?|giorn[io]|dag(?:en)?)";
const number = "\\d{1,4}(?:[.,]\\d{1,2}|\\s?[½¼¾])?|[½¼¾]";
const unit = (name: string, words: string) => `(?:(?<${name}>${number})\\s?${words}(?![\\p{L}]))`;
const join = "[\\s,]*(?:and|und|et|y|e|en)?\\s*";
const spoken = new RegExp(
  `(?<![\\p{L}\\d.,])(?:${unit("days", day)}${join})?(?:(?<whole>\\d{1,2})\\s?h\\s?(?<rest>[0-5]\\d)(?!\\d)|${unit("hours", hour)}${join}${unit("minutes", minute)}?|${unit("only", minute)})`,
  "iu",
);
const dayAlone = new RegExp(`(?<![\\p{L}\\d.,])${unit("days", day)}`, "iu");
const iso = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:\d+(?:\.\d+)?S)?)?$/;
const fractions: Record<string, number> = { "½": 0.5, "¼": 0.25, "¾": 0.75 };

/** The part of a text that is a duration: `1 hr 20 mins` of `about 1 hr 20 mins`. */
export function durationIn(text: string): string | undefined {
  return iso.test(text) && text !== "P" ? text : (spoken.exec(text) ?? dayAlone.exec(text))?.[0];
}

/** The minutes of the first duration in a text, as people or ISO 8601 write it. Undefined when there is none. */
export function minutesIn(text: string): number | undefined {
  const machine = iso.exec(text);
  if (machine && /\d/.test(text)) return sum(machine[1], machine[2], machine[3]);
  const { days, hours, minutes, whole, rest, only } =
    (spoken.exec(text) ?? dayAlone.exec(text))?.groups ?? {};
  const found = [days, hours ?? whole, minutes ?? rest ?? only];
  return found.every(part => part === undefined) ? undefined : sum(...found);
}

function sum(days = "0", hours = "0", minutes = "0"): number {
  return Math.round((numberIn(days) * 24 + numberIn(hours)) * 60 + numberIn(minutes));
}

function numberIn(text: string): number {
  const fraction = fractions[text.at(-1) ?? ""];
  if (fraction === undefined) return Number(text.replace(",", "."));
  return Number(text.slice(0, -1)) + fraction;
}

/** `PT1H20M` (ISO 8601). */
export function isoDuration(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (minutes === 0) return "PT0M";
  return `PT${hours > 0 ? `${hours}H` : ""}${rest > 0 ? `${rest}M` : ""}`;
}
