import { type Concept, type ConceptName, concepts } from "./concepts.ts";
import { squeeze } from "./text-of.ts";

/**
 * What pages write beside a value, squeezed, besides the names that programs ask with: `Where` is a label of a location,
 * but nobody calls a property so. English, German, French, Spanish, Italian and Dutch.
 */
export const labelWords: Partial<Record<ConceptName, readonly string[]>> = split({
  ingredients:
    "ingredient ingrédients ingredientes ingredienti ingrediënten benodigdheden youwillneed whatyoullneed whatyouneed dubrauchst",
  instructions:
    "preparation howtomakeit whattodo procedure préparation étapes instructions elaboración preparación instrucciones pasos preparazione procedimento bereiding bereidingswijze",
  prepTime:
    "prep preparation activetime handson vorbereitung arbeitszeit zubereitungszeit préparation tempsdepréparation tiempodepreparación preparación preparazione tempodipreparazione voorbereidingstijd voorbereiding",
  cookTime:
    "cook cooking baketime bakingtime bake kochbackzeit garzeit cuisson tempsdecuisson tiempodecocción cocción cottura tempodicottura kooktijd baktijd",
  totalTime: "total readyin gesamtdauer tempstotal prêten tiempototal tempototale totaletijd bereidingstijd",
  servings:
    "serving makes feeds personen für pour personnes raciones porciones comensales para personas porzioni dosi dosiper persone porties voor",
  calories: "kcal energie valeurénergétique calorías calorie energía energía",
  start:
    "when date dateandtime datetime wann datum datumundzeit termin quand dateetheure cuándo fecha fechayhora quando data dataeora wanneer datumentijd",
  location:
    "where dutystation workplace wo lieu lieudetravail où ville lugar ubicación ciudad luogo sede città dove locatie plaats waar standplaats",
  organizer:
    "organizedby organisedby hostedby presentedby organisateur organisépar organizador organiza organizzatore organizza organisator organisatie",
  company: "organization organisation agency entreprise employeur société empresa azienda bedrijf werkgever",
  salary:
    "payrange salaryrange remuneration vergütung lohn salaire rémunération salario sueldo retribuzione stipendio salaris",
  employmentType:
    "contract workschedule schedule workinghours hours arbeitszeit vertragsart typedecontrat contrat duréedutravail tempsdetravail tipodecontrato contrato jornada orariodilavoro contratto dienstverband",
  deadline:
    "closes closing closeson applicationdeadline applybefore bewerbungsschluss bewerbenbis expireson datelimite datelimitedecandidature fechalímite plazo scadenza sluitingsdatum",
  price:
    "admission entry tickets ticketprice eintritt prix tarif precio entrada prezzo ingresso prijs toegang",
  date: "publishedon postedon jobposted placedon veröffentlichtam publié publiéle publiéele datedepublication publicado fechadepublicación pubblicatoil datadipubblicazione geplaatstop",
  author:
    "recipeby rezeptvon recettede recettepar recetade ricettadi receptvan auteur autore auteurs redacteur",
  brand: "marque marca merk fabricant fabricante produttore fabrikant",
  sku: "référence referencia riferimento codiceprodotto",
  weight: "poids peso",
  color: "couleur kleur colore",
  material: "matière matériau materiale materiaal",
});

function split(words: Partial<Record<ConceptName, string>>): Partial<Record<ConceptName, readonly string[]>> {
  return Object.fromEntries(Object.entries(words).map(([name, text]) => [name, text.split(" ")]));
}

const lists = new Set<string>(["ingredients", "instructions"]);
const names = Object.keys(concepts) as ConceptName[];

function wordsOf(name: ConceptName): string[] {
  return [...concepts[name].words, ...(labelWords[name] ?? [])];
}

/** `Price` is written beside those of other products too. */
const unlabelled = new Set<string>(["title", "price", "oldPrice", "currency"]);
const ofOneValue = names.filter(name => {
  const { kind, long }: Concept = concepts[name];
  return kind !== "strings" && !long && !unlabelled.has(name);
});
const tickets = "cost admission entry tickets ticketprice eintritt tarif entrada ingresso toegang".split(" ");
const known = new Set([...ofOneValue.flatMap(wordsOf), ...tickets]);
const ofLists = new Set(names.filter(name => lists.has(name)).flatMap(wordsOf));
const ofNumbers = new Set(
  (
    ["prepTime", "cookTime", "totalTime", "servings", "calories", "date", "deadline", "salary"] as const
  ).flatMap(wordsOf),
);
const ofNames = new Set([
  "organizedby",
  "organisedby",
  "hostedby",
  "presentedby",
  "organisépar",
  "organizadopor",
]);

const ofMoney = new Set((["price", "oldPrice", "currency"] as const).flatMap(wordsOf));

/** Whether a text is written beside the prices of other things, too. */
export function isOfMany(label: string): boolean {
  return ofMoney.has(squeeze(label));
}

/** Whether a text is a label that pages use for one value. */
export function isKnown(label: string): boolean {
  return known.has(squeeze(label));
}

/** Whether a text names the ingredients or steps below it. */
export function namesList(line: string): boolean {
  return line.length <= 40 && ofLists.has(squeeze(line));
}

/** Whether a line may be a label and its value with nothing between them: the value has a number near its start. */
export function areTyped(label: string, value: string): boolean {
  const word = squeeze(label);
  return (
    (ofNumbers.has(word) && /^(?:[^.!?]|\.(?!\s\p{Lu})){0,24}?\d/u.test(value)) ||
    (ofNames.has(word) && /^\p{Lu}/u.test(value))
  );
}
