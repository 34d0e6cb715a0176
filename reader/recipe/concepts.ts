import type { Reading } from "./read-as.ts";
import { singular, squeeze, wordsOf } from "./text-of.ts";

/** A kind of fact that pages often state, under various names. */
export interface Concept {
  /** Names of properties and labels that mean it, as in `words`, squeezed. */
  words: string[];
  /** Its paths in schema.org, best first. */
  linked: string[];
  meta?: string[];
  /** Texts of more than a line are expected. */
  long?: true;
  kind?: "number" | "boolean" | "strings";
  format?: "uri" | "email" | "date";
  /** How its texts are read. */
  as?: Reading;
}

const define = (words: string, linked: string, rest: Omit<Concept, "words" | "linked"> = {}): Concept => ({
  words: words.split(" "),
  linked: linked.split(" ").filter(Boolean),
  ...rest,
});

/** Names in English and German, as pages and schemas write them. */
export const concepts = {
  title: define("title name headline heading subject titel bezeichnung überschrift", "headline name title", {
    meta: ["og:title", "twitter:title"],
  }),
  price: define(
    "price currentprice saleprice amount cost preis betrag kosten",
    "offers.price offers.lowPrice offers.priceSpecification.price price lowPrice",
    { kind: "number", meta: ["product:price:amount", "og:price:amount"], as: "price" },
  ),
  oldPrice: define(
    "oldprice originalprice listprice regularprice wasprice rrp uvp statt altpreis",
    "offers.highPrice",
    {
      kind: "number",
    },
  ),
  currency: define(
    "currency pricecurrency currencycode währung",
    "offers.priceCurrency priceCurrency baseSalary.currency",
    {
      meta: ["product:price:currency", "og:price:currency"],
      as: "currency",
    },
  ),
  availability: define(
    "availability instock available stock isavailable stockstatus verfügbarkeit verfügbar lieferbarkeit lagerbestand",
    "offers.availability availability",
    { meta: ["product:availability", "og:availability"] },
  ),
  author: define(
    "author writer byline by createdby autor verfasser von poster username",
    "author.name author creator.name creator",
    {
      meta: ["author", "article:author"],
      as: "person",
    },
  ),
  date: define(
    "date published publishedat publisheddate publicationdate datepublished postedat posteddate dateposted createdat posted datum veröffentlicht erschienen",
    "datePublished datePosted uploadDate dateCreated startDate",
    { meta: ["article:published_time", "date", "dc.date"], format: "date" },
  ),
  modified: define(
    "modified updated updatedat modifiedat lastupdated datemodified lastmodified aktualisiert",
    "dateModified",
    {
      meta: ["article:modified_time"],
      format: "date",
    },
  ),
  image: define(
    "image imageurl picture photo thumbnail mainimage cover img bild foto",
    "image.url image.contentUrl image thumbnailUrl",
    {
      meta: ["og:image", "twitter:image"],
      format: "uri",
    },
  ),
  description: define(
    "description summary abstract about overview intro teaser excerpt beschreibung zusammenfassung",
    "description abstract",
    { meta: ["description", "og:description"], long: true },
  ),
  content: define("content body text articlebody fulltext message inhalt nachricht", "articleBody text", {
    long: true,
  }),
  rating: define(
    "rating ratingvalue score stars averagerating reviewscore bewertung",
    "aggregateRating.ratingValue reviewRating.ratingValue ratingValue starRating.ratingValue",
    { kind: "number", as: "rating" },
  ),
  reviewCount: define(
    "reviewcount reviewscount numberofreviews ratingcount numreviews ratings totalreviews bewertungen",
    "aggregateRating.reviewCount aggregateRating.ratingCount reviewCount",
    { kind: "number" },
  ),
  brand: define(
    "brand manufacturer maker marke hersteller",
    "brand.name brand manufacturer.name manufacturer",
    {
      meta: ["product:brand", "og:brand"],
      as: "name",
    },
  ),
  sku: define(
    "sku itemnumber articlenumber productid mpn partnumber artikelnummer artikelnr bestellnummer",
    "sku mpn productID",
    { as: "code" },
  ),
  gtin: define("gtin ean gtin13 barcode upc", "gtin13 gtin gtin12 gtin8 isbn", { as: "code" }),
  isbn: define("isbn isbn13 isbn10", "isbn gtin13 gtin", { as: "isbn" }),
  category: define("category section breadcrumb department kategorie rubrik", "category articleSection", {
    meta: ["article:section"],
  }),
  url: define("url link permalink href canonicalurl", "url @id", { meta: ["og:url"], format: "uri" }),
  start: define("start startdate starttime startsat begins beginn doorsopen eventdate", "startDate"),
  end: define("end enddate endtime endsat ends ende", "endDate"),
  location: define(
    "location venue place city ort veranstaltungsort standort arbeitsort einsatzort joblocation",
    "location.name location.address.addressLocality jobLocation.address.addressLocality jobLocation.name location address.addressLocality",
  ),
  address: define(
    "address streetaddress adresse anschrift",
    "address.streetAddress location.address.streetAddress address location.address",
  ),
  organizer: define("organizer organiser host veranstalter", "organizer.name organizer", { as: "name" }),
  company: define(
    "company employer hiringorganization companyname firma arbeitgeber unternehmen",
    "hiringOrganization.name hiringOrganization",
    { as: "name" },
  ),
  publisher: define("publisher sitename site source verlag", "publisher.name publisher", {
    meta: ["og:site_name"],
  }),
  salary: define(
    "salary pay wage compensation gehalt",
    "baseSalary.value.value baseSalary.value.minValue baseSalary",
    { as: "salary" },
  ),
  employmentType: define(
    "employmenttype jobtype contracttype beschäftigungsart anstellungsart",
    "employmentType",
  ),
  deadline: define("deadline validthrough closingdate applyby bewerbungsfrist expires", "validThrough", {
    format: "date",
  }),
  ingredients: define("ingredients zutaten", "recipeIngredient ingredients", { kind: "strings" }),
  instructions: define("instructions steps directions method zubereitung anleitung", "recipeInstructions", {
    kind: "strings",
    as: "step",
  }),
  prepTime: define("preptime preparationtime vorbereitungszeit", "prepTime", { as: "duration" }),
  cookTime: define("cooktime cookingtime kochzeit backzeit", "cookTime", { as: "duration" }),
  totalTime: define("totaltime duration time gesamtzeit dauer", "totalTime duration", { as: "duration" }),
  servings: define("servings yield serves portions portionen", "recipeYield"),
  calories: define("calories energy kalorien brennwert", "nutrition.calories"),
  tags: define("tags keywords labels topics schlagwörter stichwörter", "keywords", {
    kind: "strings",
    meta: ["keywords", "article:tag"],
  }),
  images: define("images pictures photos gallery bilder fotos imageurls", "image", {
    kind: "strings",
    format: "uri",
  }),
  links: define("links urls hrefs", "", { kind: "strings", format: "uri" }),
  features: define("features highlights bulletpoints benefits merkmale eigenschaften vorteile", "", {
    kind: "strings",
  }),
  performers: define("performers artists lineup künstler", "performer", { kind: "strings" }),
  comments: define(
    "commentcount commentscount numberofcomments replycount replies numreplies antworten",
    "commentCount",
    { kind: "number" },
  ),
  views: define("views viewcount aufrufe", "interactionCount", { kind: "number" }),
  phone: define("phone telephone phonenumber tel telefon", "telephone contactPoint.telephone", {
    as: "phone",
  }),
  email: define("email mail emailaddress", "email contactPoint.email", { format: "email" }),
  language: define("language lang locale inlanguage sprache", "inLanguage", { meta: ["og:locale"] }),
  weight: define("weight gewicht", "weight.value weight"),
  color: define("color colour farbe", "color"),
  size: define("size dimensions größe maße abmessungen", "size"),
  material: define("material werkstoff", "material"),
  warranty: define("warranty guarantee garantie", "warranty"),
  year: define("year jahr baujahr", "datePublished", { kind: "number", as: "year" }),
  version: define("version latestversion currentversion softwareversion release", "softwareVersion version", {
    as: "version",
  }),
  license: define("license licence lizenz", "license", { as: "license" }),
  doi: define("doi", "doi", { as: "doi" }),
  method: define("method httpmethod verb", "", { as: "method" }),
  path: define("path endpoint route urlpath", "", { as: "path" }),
  period: define("period billingperiod billing interval per", "", { as: "period" }),
  weekday: define("day weekday dayofweek wochentag tag jour día giorno dag", "dayOfWeek"),
  question: define("question frage", "name text", { long: true }),
  answer: define("answer antwort reply", "acceptedAnswer.text suggestedAnswer.text", { long: true }),
  quantity: define("quantity qty count menge anzahl", "", { kind: "number" }),
} satisfies Record<string, Concept>;

export type ConceptName = keyof typeof concepts;

const byWord = new Map<string, ConceptName[]>();
for (const name of Object.keys(concepts) as ConceptName[])
  for (const word of concepts[name].words) byWord.set(word, [...(byWord.get(word) ?? []), name]);

/** Words that only say what the page is about: `product_title` is the title. */
const qualifiers = new Set(
  "faq product item article page job event book recipe post main full the its thread topic listing offer story song movie of a an current is has".split(
    " ",
  ),
);

/** For how much or in which money, which no label repeats. */
const ofRates =
  /[\s_-]*(?:per[\s_-]*(?:night|month|hour|day|person|week|year|unit|kwh|kg|lit(?:er|re)|km|gb|m2|sqm|seat|ticket|piece|item)|in[\s_-]*(?:eur|usd|gbp|chf)|(?<=[_-])(?:eur|usd|gbp|chf))$/i;

/** The concept that a name means, if it is one of them: where several have the name, the one with such values. */
export function conceptOf(given: string, kind?: string): ConceptName | undefined {
  const name = given.replace(/([a-z])(Per[A-Z])/, "$1_$2").replace(ofRates, "");
  const words = wordsOf(name);
  const rest = words.filter(word => !qualifiers.has(word));
  const plain = [words.join(""), squeeze(name), rest.join(""), singular(rest.join(""))];
  const found = plain.map(word => byWord.get(word)).find(known => known !== undefined);
  const isOfTexts = (each: ConceptName) => (concepts[each] as Concept).kind === "strings";
  return kind === undefined
    ? found?.[0]
    : (found?.find(each => isOfTexts(each) === (kind === "array")) ?? found?.[0]);
}
