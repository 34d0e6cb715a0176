import { composed } from "../../../reader/text/decode-text.ts";
import { withPlainUrls } from "./plain-urls.ts";
import { RecentLines } from "./recent-lines.ts";
import { isTimestamp, withoutRelativeTimes } from "./timestamps.ts";

/**
 * The version of these rules. Hashes of different versions cannot be compared; raise it with every change of the result of
 * `comparable`.
 */
export const noiseRules = 4;

/**
 * The lines of a page, or of an item's text, in the form in which they are compared: without markup and noise; "" for a
 * line of nothing else. Noise is text that changes by itself because of where it is (the timestamp of an update, a counter
 * of views, a time relative to now), never a date, a number or a name as such.
 */
export function comparable(lines: string[]): string[] {
  const keys = comparableAlone(lines);
  keys.forEach((key, index) => {
    if (!updateOnly.test(key) && !points.test(key)) return;
    const next = index + (lines[index + 1]?.trim() === "" ? 2 : 1);
    if (belongTogether(key, withoutMarkup(oneSpaced(lines[next] ?? "")))) keys[index] = keys[next] = "";
  });
  return keys;
}

/** Takes the noise out of one line, without its context. */
export function withoutNoise(line: string): string {
  return comparableAlone([line])[0] ?? "";
}

function comparableAlone(lines: string[]): string[] {
  let isCode = false;
  return lines.map(line => {
    const isFence = /^\s*(?:```|~~~)/.test(line);
    if (isFence) isCode = !isCode;
    if (isFence) return "";
    return isCode ? oneSpaced(line) : recent.of(line);
  });
}

/** Characters of lines and their keys: those of some ten pages. */
const maxRecent = 1024 * 1024;
const recent = new RecentLines(maxRecent, line => removeNoise(withoutMarkup(oneSpaced(line))));

function oneSpaced(text: string): string {
  return composed(text)
    .replace(/[\u00ad\u200b-\u200f\u2060\ufeff]/g, "")
    .replace(/\s+/g, " ")
    .trim();
}

const markers = /^(?:(?:[-*+>]|\d{1,9}\.) )*(?:#{1,6} )?/;

/** Headings, list items, quotes and emphasis are compared by their text only, and lists by the order of their lines. */
function withoutMarkup(line: string): string {
  const plain = withPlainUrls(line).replace(markers, "");
  if (/^[-=*_#>|: ]*$/.test(plain)) return "";
  return plain
    .replace(/(?<!\\)(?:\*+|`+)/g, "")
    .replace(/(?<![\p{L}\p{N}\\])_+|(?<!\\)_+(?![\p{L}\p{N}])/gu, "");
}

const adLine =
  /^(?:advertisements?|advert|ads?|sponsored(?: content| links?)?|promoted|anzeige|werbung|publicité|publicidad|реклама|广告|廣告|広告|إعلان)[\s:.]*$/i;
const beacon =
  /!\[\]\([^()\s]*[/._-](?:pixel|beacon|1x1|spacer|transparent|tracking)(?:\.(?:gif|png|php|aspx?))?(?:[?#][^()]*)?\)/gi;

/** Characters. Noise is on short lines; longer ones are prose, and slow to search. */
const maxNoisyLength = 4000;

function removeNoise(line: string): string {
  if (adLine.test(line)) return "";
  if (line.length > maxNoisyLength) return line;
  let text = withoutRelativeTimes(withoutStamps(line.replace(beacon, "")));
  if (/\p{N}/u.test(text)) for (const [pattern, kept] of noises) text = text.replace(pattern, kept);
  return text === line ? line : tidy(text);
}

/** Removes the separators, brackets and labels that are left after noise; "" when nothing else is left. */
function tidy(line: string): string {
  const text = line
    .replace(/(?<!!)\[\s*\]\([^)]*\)|\(\s*\)|\[\s*\]/g, "")
    .replace(/\s+/g, " ")
    .replace(/(?:\s?[|·•—–;](?=\s?[|·•—–;]))+/g, "")
    .replace(/^[\s|·•—–;,:.]+|[\s|·•—–;,:]+$/g, "");
  return /^(?:posted|by|on|at|updated?|\p{P}|\s)*$/iu.test(text) ? "" : text;
}

// The start and end of a part of a line: separators, brackets, cells of a table. No part starts within a word, which is
// seen at once.
const partStart = String.raw`(?<![a-z])(?<=^|[|·•—–;(（\[]\s*|\s-\s|[.!?。]\s?)`;
const partEnd = String.raw`(?=\s*(?:$|[|·•—–;)）\]]|\s-\s|[.!](?:\s|$)|。))`;

const updated = [
  // English
  "(?:(?:this |the )?(?:page|site|content|article|post|document|list|data|prices?|status|report|table|version|entry) )?(?:was |were |is |has been )?(?:last |recently |automatically |auto-?)?(?:updated|modified|edited|revised|reviewed|refreshed|checked|generated|rendered|retrieved|fetched|synced|synchronized)(?: on| at)?",
  "last (?:update|change|changed|modification|edit|refresh|check|sync|review)(?: on| at)?|date (?:generated|modified|updated)",
  "(?:(?:current|server|local) )time(?: is)?|time now|it is now|today is|today['’]s date(?: is)?",
  // German, French, Spanish, Italian, Portuguese, Dutch, Polish
  "(?:zuletzt |letztmals )?(?:aktualisiert|geändert|bearbeitet|überarbeitet|geprüft)(?: am| um)?|letzte[rs]? (?:aktualisierung|änderung|bearbeitung|update)(?: am)?|aktualisierung|seite (?:generiert|erzeugt)(?: am)?|heute ist(?: der)?|aktuelle uhrzeit",
  "(?:dernière )?mise à jour(?: le)?|mise?s? à jour(?: le)?|dernière modification(?: le)?|modifiée?(?: le)?|actualisée?(?: le)?|générée?(?: le)?|nous sommes le",
  "(?:última )?actualización|actualizad[oa](?: el)?|última modificación|modificad[oa](?: el)?|generad[oa](?: el)?|hoy es",
  "(?:ultimo )?aggiornamento|(?:ultima )?modifica|aggiornat[oa](?: il| al)?|(?:última )?atualização|atualizad[oa](?: em)?|(?:laatst )?bijgewerkt(?: op)?|laatste wijziging|(?:ostatnia )?aktualizacja|zaktualizowano",
  // Russian, Chinese, Japanese, Korean, Arabic
  "(?:последнее |дата )?обновлени[ея]|обновлен[оа]|последн(?:ее|ие) изменени[ея]|изменено",
  "(?:最[后後近新]|[数數][据據]|[页頁]面|[资資]料)?(?:更新|修改|刷新|编辑|編輯|生成)(?:[时時][间間]|日期|于|於)?|[当當]前[时時][间間]",
  "最終更新(?:日時?|時刻)?|最終(?:変更|確認)日時?|更新日時?|現在時刻|생성일|(?:최종|마지막) ?(?:수정|업데이트)(?:일)?|업데이트",
  "(?:تاريخ )?آخر تحديث|تم التحديث(?: في| بتاريخ)?|تاريخ التحديث|آخر تعديل",
].join("|");
/** Labels that can also begin a sentence ("as of May 4 the pool is closed"): only noise when a timestamp alone follows. */
const asOf =
  "(?:(?:data|prices?|rates?|figures|quotes|status|information) )?as (?:of|at)|(?:daten)?stand(?: vom)?|état au|données au|a fecha de|по состоянию на|[数數][据據]截至";
const updateLabel = new RegExp(`(?:${partStart}|(?<=,\\s))(?:(${asOf})|${updated})(?![\\p{L}\\p{M}])`, "iu");
const updateOnly = new RegExp(`^(?:${asOf}|${updated})\\s?[:：]?$`, "iu");
const updatedAfter = new RegExp(
  `${partStart}([\\p{Nd}年月日时時分秒点년월일\\s./:-]{4,30})(?:に?更新|に?最終更新|[现現]在|時点|업데이트|기준)${partEnd}`,
  "giu",
);

function withoutStamps(line: string): string {
  const text = line.replace(updatedAfter, (all, moment: string) => (isTimestamp(moment) ? "" : all));
  const label = updateLabel.exec(text);
  if (label === null) return text;
  const start = label.index + label[0].length;
  const end = start + stampLength(text.slice(start), label[1] !== undefined);
  if (end === start) return text;
  return `${text.slice(0, label.index)} ${withoutStamps(text.slice(end))}`;
}

/** The length of the timestamp after a label; 0 where something else follows. */
function stampLength(text: string, isWhole: boolean): number {
  const [whole = ""] = /^[^|·•—–;)）\]]{0,80}/.exec(text.replace(/^(\s?[:：]?\s?)\|/, "$1 ")) ?? [];
  const cuts = isWhole ? [] : [...whole.matchAll(/[.。!](?=\s|$)|\s-\s|\s(?:by|von|par|por|от)\s/g)];
  const lengths = [...cuts.map(({ index }) => index), whole.length].reverse();
  return (
    lengths.find(length => isTimestamp(whole.slice(0, length).replace(/^\s?[:：]?\s*|[.\s]+$/g, ""))) ?? 0
  );
}

// Bounded, so that a text of only digits and commas takes linear time.
const amount = String.raw`\p{Nd}(?:[\p{Nd}.,']|\s(?=\p{Nd}{3}(?!\p{Nd}))){0,15}\+?\s?(?:[kmb]|mio|tsd|тыс|万|萬|억|만)?\.?`;
const views =
  "(?:page ?|profile ?)?views?|page ?hits|aufrufe|seitenaufrufe|ansichten|vues|visitas|visualizaciones|visualizações|visualizzazioni|просмотр(?:ов|а|ы)?|次?(?:浏览|瀏覽|阅读|閱讀)|(?:回)?(?:閲覧|視聴)|조회|مشاهد(?:ة|ات)";
const replies =
  "comments?|likes?|kommentare?|commentaires?|comentarios?|комментари(?:ев|я|й)|[条條]?[评評][论論]|コメント|تعليق(?:ات)?";
const visitors =
  "users?|members?|guests?|visitors?|readers?|people|gäste|besucher|nutzer|personen|utilisateurs?|visiteurs?|personnes|usuarios?|visitantes?|personas|гост(?:ей|я|ь)|пользовател(?:ей|я|ь)|человека?|人";
const watching =
  "(?:(?:are|is) )?(?:currently |right now |also )*(?:viewing|watching|reading|browsing|looking at|online|here now)|schauen|sehen sich|consultent|regardent|en ligne|están viendo|en línea|conectados|смотрят|онлайн|(?:正在|在)(?:看|浏览|瀏覽|观看)|在线|(?:が)?閲覧中|(?:が)?見ています";
const watched =
  "this|the|diesen?|dieses|cet|cette|este|esta|эт[уо]т?|right|now|at|moment|gerade|an|page|item|product|article|room|property|offer|artikel|produit|producto|страницу|товар";
const counted = `(?:${views}|${replies})`;
const duration = String.raw`(?:${amount}\s?(?:seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|[smhdw]|sek(?:unden?|\.)?|minuten?|std\.?|stunden?|tagen?|tage|wochen?|secondes?|heures?|jours?|[jhms]|segundos?|minutos?|horas?|d[ií]as?|дн(?:ей|я)|день|час(?:ов|а)?|минут[ыа]?|секунд[ыа]?|天|小[时時]|分[钟鐘]?|秒|日|時間|يوم|أيام|ساعات?|ساعة|دقيقة|دقائق)\.?[\s,]*(?:(?:and|und|et|y|и)\s)?){1,4}|\p{Nd}{1,3}(?::\p{Nd}{2}){1,3}`;

const noises: [RegExp, string][] = [
  // Points, shares and reactions, beside counters of views or comments.
  [
    new RegExp(
      String.raw`${partStart}${amount}\s?(?:points?|shares?|reactions?|re(?:tweet|post)s?)(?!\p{L})(?:(?=.{0,80}[\p{Nd}km]\s?${counted})|(?<=[\p{Nd}km]\s?${counted}.{0,80}))`,
      "giu",
    ),
    "",
  ],
  // Counters of views and the like, where they are a whole part of a line.
  [new RegExp(String.raw`${partStart}${amount}\s?${counted}${partEnd}`, "giu"), ""],
  [
    new RegExp(
      String.raw`${partStart}${counted}(?: count)?\s?[:：]?\s?[(（]?${amount}[)）]?${partEnd}`,
      "giu",
    ),
    "",
  ],
  // Counters of present and past visitors.
  [
    new RegExp(
      String.raw`(?<!\p{N})${amount}\s?(?:other |andere |autres )?(?:${visitors})\s?(?:${watching})(?:\s(?:${watched}))*[.!]?`,
      "giu",
    ),
    "",
  ],
  [
    new RegExp(
      String.raw`${partStart}(?:currently )?(?:(?:${visitors})\s)?(?:online|en ligne|онлайн|在线|在線)(?: now)?\s?[:：]\s?${amount}${partEnd}`,
      "giu",
    ),
    "",
  ],
  [
    new RegExp(
      String.raw`${partStart}(?:you are |sie sind )?(?:the |der )?(?:visitors?|visits|besucher|visiteurs?|visitantes?|посетителей|访问量|訪問者数|عدد الزوار)(?: number| count| today|nummer)?\s?[:：#]?\s?${amount}${partEnd}`,
      "giu",
    ),
    "",
  ],
  // Countdowns.
  [
    new RegExp(
      String.raw`${partStart}((?:ends?|ending|closes|closing|starts|starting) in|time (?:left|remaining)|(?:noch|endet in|restzeit|verbleibend)|(?:se termine dans|temps restant|fin dans)|(?:termina en|tiempo restante)|(?:до конца|осталось)|(?:剩余|剩餘)(?:[时時][间間])?|残り(?:時間)?|(?:الوقت المتبقي|ينتهي خلال|متبقي))\s?[:：]?\s?(?:${duration})${partEnd}`,
      "giu",
    ),
    "$1",
  ],
  // Render times, request ids and tokens, copyright years.
  [
    new RegExp(
      String.raw`${partStart}(?:(?:page |seite |página )?(?:rendered|generated|loaded|served|executed|created|generiert|erzeugt|générée?|generada|сгенерирован[ао]?) (?:in|en|за)|${amount} queries in) ${amount}\s?(?:ms|s|sec|seconds?|milliseconds?|sekunden|secondes|segundos|сек\w*)(?![\p{L}])`,
      "giu",
    ),
    "",
  ],
  [
    /(?<![\p{L}\p{N}])((?:request|ray|trace|correlation) ?id|(?:csrf|xsrf|session) token|nonce)(\s?[:：#=]\s?|\s)(?=\S*\d)[\w.:-]{6,}/giu,
    "$1",
  ],
  [/((?:©|copyright)(?: ©| \(c\))?) ?\p{Nd}{4}(?: ?[-–] ?\p{Nd}{4})?/giu, "$1"],
];

const points = new RegExp(String.raw`^(?:points|score)\s?:\s?${amount}$`, "iu");
const commentCounter = new RegExp(String.raw`^#?\s?comments\s?:\s?${amount}$`, "iu");

/** Two lines that are noise together: a label and its timestamp, or a score above its comments. */
function belongTogether(line: string, next: string): boolean {
  return (updateOnly.test(line) && isTimestamp(next)) || (points.test(line) && commentCounter.test(next));
}
