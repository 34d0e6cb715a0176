import { readForm } from "./forms.ts";
import { readAs } from "./read-as.ts";
import { wordsOf } from "./text-of.ts";
import type { Want } from "./want.ts";

const colors = new Set(
  (
    "red blue green yellow black white grey gray brown orange pink purple violet turquoise teal navy beige ivory cream " +
    "silver gold golden bronze copper maroon crimson scarlet olive khaki cyan magenta indigo lilac mint sand charcoal anthracite " +
    "rot blau grün gelb schwarz weiß weiss grau braun rosa lila türkis silber anthrazit " +
    "rouge bleu bleue vert verte jaune noir noire blanc blanche gris grise marron rose violette " +
    "rojo roja azul verde amarillo amarilla negro negra blanco blanca rosso rossa blu giallo gialla nero nera bianco bianca grigio " +
    "rood blauw groen geel zwart wit grijs bruin paars"
  ).split(" "),
);
const materials = new Set(
  (
    "oak pine beech birch ash walnut teak maple cherry bamboo wood plywood steel iron aluminium aluminum brass copper bronze " +
    "titanium silver gold glass ceramic porcelain stoneware clay stone marble granite slate concrete plastic silicone rubber resin " +
    "cotton wool linen silk leather suede denim polyester nylon viscose cashmere felt velvet canvas cork paper cardboard rattan wicker " +
    "holz eiche kiefer buche stahl glas leder baumwolle wolle leinen seide kunststoff bois chêne acier verre cuir coton laine " +
    "madera acero vidrio cuero algodón lana legno acciaio vetro pelle cotone hout staal leer katoen"
  ).split(" "),
);
const measures =
  /^(?:storage|ram|memory|size|weight|height|width|length|depth|capacity|volume|speed|battery|screen|display|power|range|area|distance|duration|resolution|dimensions?)$/;
const joints =
  /^(?:of|de|del|della|di|da|la|le|les|el|los|las|du|des|den|der|die|das|the|van|von|am|an|im|in|on|upon|sur|and|und|et|y|e|&)$/i;

/** Whether a text that nothing names may be the value: of a form that is the want's own, or of any where it has none. */
export function mayBeLeft({ concept, words, name }: Want, text: string): boolean {
  if (wordsOf(name).some(word => measures.test(word)) || words.some(word => measures.test(word)))
    return false;
  if (concept === "color") return wordsOf(text).some(word => colors.has(word)) && wordsOf(text).length <= 5;
  if (concept === "material")
    return wordsOf(text).some(word => materials.has(word)) && wordsOf(text).length <= 6;
  if (concept === "weekday") return readForm("weekday", text) !== undefined;
  if (concept === "language") return readForm("languageName", text) !== undefined;
  if (concept === "location") return isProper(text);
  if (concept === "author") return isPerson(text);
  return true;
}

/** Each word has a capital, as names of places have. */
function isProper(text: string): boolean {
  return text.split(/[\s,/()–—-]+/).every(word => word === "" || joints.test(word) || !/^\p{Ll}/u.test(word));
}

/** A first name with a second, or the name after `by`. */
function isPerson(text: string): boolean {
  const name = readAs("person", text, "");
  if (name === undefined) return false;
  return name.length < text.length - 2 || /^\p{Lo}{2,5}$/u.test(name) || (/\s/.test(name) && isProper(name));
}
