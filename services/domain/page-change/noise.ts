const months =
  "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?";
const day = String.raw`(?:\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}[./]\d{2,4}|(?:${months})\.? \d{1,2}(?:st|nd|rd|th)?,? \d{4}|\d{1,2}\.? (?:${months})\.?,? \d{4})`;
const time = String.raw`\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?: ?[ap]\.?m\.?)?(?: ?(?:z|utc|gmt|[a-z]{2,4}t|[+-]\d{2}:?\d{2})\b)?`;
// Bounded, so that a text of nothing but digits and commas takes linear time.
const amount = String.raw`\d[\d.,]{0,15}\+? ?[km]?`;
const counted =
  "comments?|replies|views?|likes?|shares?|points?|votes?|followers?|subscribers?|visitors?|readers?|downloads?|reactions?|retweets?|reposts?|users? online|guests?|online now|people (?:are )?(?:viewing|reading|watching)|kommentare?|aufrufe|commentaires?|vues|comentarios?|visitas";
const span =
  "seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|months?|years?|sekunden?|minuten?|stunden?|tage[ns]?|wochen?|monate[ns]?|jahre[ns]?|heures?|jours?|semaines?|mois|horas?|minutos?|d[ií]as?";

// Each leaves a mark behind, so that two lines which differ in noise only are the same line.
const noises: [RegExp, string][] = [
  // Instants: a day with a time of the day, or a time with seconds. A bare day or an opening hour is content.
  [new RegExp(String.raw`\b${day}(?:,| at| um| à|t)? ?${time}`, "g"), "<time>"],
  [/\b\d{4}-\d{2}-\d{2}t\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:z|[+-]\d{2}:?\d{2})?/g, "<time>"],
  [/\b\d{1,2}:\d{2}:\d{2}(?:\.\d+)?\b/g, "<time>"],
  [
    new RegExp(
      String.raw`\b((?:last |page )?(?:updated|modified|generated|refreshed|checked|reviewed)(?: on| at)?|as of|today is|it is now|current time|stand|aktualisiert(?: am)?|mis à jour(?: le)?)(:| ) ?(?:(?:${day}|${time}|today|yesterday|just now)[, ]*)+`,
      "g",
    ),
    "$1 <time>",
  ],
  // Relative dates.
  [new RegExp(String.raw`\b(?:about |over |an? |${amount} ?)(?:${span}|[smhdw]) ago\b`, "g"), "<time>"],
  [new RegExp(String.raw`\b(?:vor|il y a|hace) (?:etwa )?${amount} ?(?:${span})\b`, "g"), "<time>"],
  [/\b(?:just now|moments ago|gerade eben|à l'instant)\b/g, "<time>"],
  // Counters.
  [new RegExp(String.raw`\b${amount} ?(?:${counted})\b`, "g"), "<count>"],
  [
    new RegExp(String.raw`(?<![\p{L}\d])(${counted})(?: count)?[:\s]*\(?${amount}\)?(?![\p{L}\d])`, "gu"),
    "<count>",
  ],
  [
    /\b(?:rendered|generated|loaded|served|executed|page created) in [\d.,]+ ?(?:ms|s|seconds?|milliseconds?)\b/g,
    "<count>",
  ],
  // Sessions: parameters that name one, and long random tokens.
  [
    /[?&;](?:phpsessid|jsessionid|sid|session_?id|s?token|nonce|csrf\w*|cache_?buster|cb|rnd|rand|_|ts|v|ver|utm_\w+|mc_[ce]id|fbclid|gclid|msclkid|yclid|igshid|ref|source)=[^&\s)\]"'>#]*/g,
    "",
  ],
  [/\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/g, "<token>"],
  [/\b(?=[a-z]*\d)[\da-f]{20,}\b/g, "<token>"],
  [/(©|\(c\)|copyright) ?(\d{4})( ?[-–] ?\d{4})?/g, "$1"],
];

const adLine =
  /^(?:[-*_#>\s]*)(?:advertisements?|advert|ads?|sponsored(?: content| links?)?|promoted|anzeige|werbung|publicité|publicidad)[\s:.*_]*$/;

/**
 * A line as it is compared: lower case, one space, marks in the place of what changes by itself (instants, relative
 * dates, counters, session ids). Empty for lines that tell nothing. Texts that differ in noise only come out the same.
 */
export function withoutNoise(text: string): string {
  let line = text.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim();
  if (adLine.test(line)) return "";
  for (const [pattern, mark] of noises) line = line.replace(pattern, mark);
  return line.replace(/\s+/g, " ").trim();
}
