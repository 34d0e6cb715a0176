import { squeeze } from "./text-of.ts";

/** Words that pages use for one another: names of fields, heads of columns and labels, in six languages, squeezed. */
const groups: readonly string[][] = [
  "rooms zimmer pièces pieces habitaciones camere locali kamers zi numberofrooms roomcount",
  "beds bedrooms schlafzimmer chambres dormitorios camere slaapkamers br",
  "baths bathrooms badezimmer bäder sallesdebain baños bagni badkamers",
  "area livingarea floorarea wohnfläche fläche surface superficie oppervlakte livingspace size",
  "plot plotarea plotsize land lot grundstück grundstücksfläche terrain parcela terreno perceel",
  "yearbuilt builtin built constructionyear baujahr annéedeconstruction añodeconstrucción annodicostruzione bouwjaar",
  "mileage odometer kilometer kilometerstand laufleistung kilométrage kilometraje chilometraggio",
  "fuel fueltype kraftstoff treibstoff carburant combustible carburante brandstof",
  "transmission gearbox getriebe boîtedevitesses cambio versnelling",
  "power leistung puissance potencia potenza vermogen",
  "seats sitze places plazas posti",
  "departure departuretime departs dep leaves leavesat abfahrt abflug départ salida partenza vertrek",
  "arrival arrivaltime arrives arr arrivesat ankunft arrivée llegada arrivo aankomst",
  "destination to direction ziel nach richtung vers destino hacia destinazione bestemming richting",
  "origin from start von ab départde desde origen da van",
  "platform gleis quai voie andén binario spoor track gate",
  "line route linie ligne línea linea lijn",
  "stops changes transfers umstiege umsteigen correspondances transbordos cambi overstappen stopovers",
  "duration traveltime dauer durée duración durata duur length runtime runningtime laufzeit time",
  "term contractterm laufzeit mindestlaufzeit vertragslaufzeit contractlength durée",
  "baseprice basicprice standingcharge grundpreis grundgebühr abonnement",
  "unitprice arbeitspreis priceperunit priceeach einzelpreis stückpreis priceperkwh rate",
  "total totalamount totaldue amountdue grandtotal gesamtbetrag gesamt summe montanttotal totale totaal",
  "quantity qty menge anzahl quantité cantidad quantità aantal",
  "position pos rank place rang platz classement posición posizione",
  "team club mannschaft verein équipe equipo squadra ploeg",
  "played games matches matchesplayed gamesplayed p pl mp gp sp spiele",
  "wins won w siege s victories",
  "losses lost l niederlagen defeats",
  "draws drawn ties d unentschieden",
  "points pts punkte pkt puntos punti",
  "goaldifference gd diff goaldiff tordifferenz td",
  "score ergebnis result",
  "high max hi highest temperaturehigh maxtemp hightemp maximum máx höchst höchstwert",
  "low min lo lowest temperaturelow mintemp lowtemp minimum mín tiefst tiefstwert",
  "rainchance chanceofrain precipitation precipitationchance rain precip regen regenwahrscheinlichkeit",
  "wind windspeed viento vent vento",
  "humidity luftfeuchtigkeit humidité humedad umidità",
  "opens open opensat openingtime öffnet from",
  "closes close closesat closingtime schließt to until",
  "day weekday tag wochentag jour día giorno dag",
  "instructor teacher tutor lecturer taughtby trainer dozent dozentin lehrer kursleitung",
  "level niveau nivel livello stufe",
  "difficulty schwierigkeit difficulté dificultad difficoltà moeilijkheid skilllevel",
  "director directedby regie regisseur réalisateur dirección regia",
  "genre genres gattung género genere",
  "seasons staffeln saisons temporadas stagioni",
  "artist künstler artiste artista kunstenaar",
  "photographer photo photoby photographby foto fotograf photographe",
  "publisher publishedby verlag éditeur editorial editore uitgever",
  "pages seiten páginas pagine numberofpages pagecount",
  "version release latestversion currentversion",
  "license licence lizenz licencia licenza",
  "repository repo sourcecode source code",
  "marketcap marketcapitalization marketcapitalisation marktkapitalisierung",
  "volume vol band tome volumen",
  "lotnumber lot los losnummer",
  "invoicenumber invoiceno invoice rechnungsnummer rechnungsnr",
  "duedate due payableby fällig fälligam zahlbarbis",
  "issuedate invoicedate dateofissue rechnungsdatum issued",
  "role position jobtitle function funktion rolle",
  "city town ville stadt ciudad città plaats ort",
  "country land pays país paese nation",
  "rating voto note bewertung valoración puntuación score beoordeling",
  "contact kontakt contacto contatto ansprechpartner contactperson",
  "votes upvotes stimmen",
  "likes hearts gefälltmir",
  "downloads installs",
  "episode episodenumber ep folge",
  "username handle login nickname",
  "minimumage agelimit age ages mindestalter",
  "medium technique technik material technika",
  "type kind typ art",
].map(line => line.split(" "));

const byWord = new Map<string, Set<string>>();
for (const group of groups)
  for (const word of group) {
    const known = byWord.get(word) ?? new Set<string>();
    for (const other of group) known.add(other);
    byWord.set(word, known);
  }

/** Endings of names that say what kind of value it is. */
const kinds = /(?<=.)(?:time|date|name|number|no|count|url|link|text)$/;

/** Other words for a name, the nearest first; none where the name stands for too much. */
export function synonymsOf(name: string): string[] {
  const word = squeeze(name);
  const plain = word.replace(kinds, "");
  const found = [word, ...(plain === word ? [] : [plain])].flatMap(each => [...(byWord.get(each) ?? [])]);
  return [...new Set(found)].filter(other => other !== word);
}
