import { type Random, seeded } from "../faults/random.ts";

const vocabulary = (
  "about after again against air all along also always and another any are around ask away back because become before " +
  "begin better between big book both bring build but call came can carry cause change city clear close cold come could " +
  "country cover cross cut dark day deep did different direct does door down draw drive early earth east end enough even " +
  "every eye face fact family far farm father feel few field figure fire first follow food force form found four free from " +
  "full gave give gold good great green ground group grow half hand hard have head hear heat help here high hold home horse " +
  "hour house idea inch island just keep kind king knew know land language large last laugh learn leave left letter life " +
  "light line list little live long machine main make man many map mark measure might mile mind minute money moon morning " +
  "most mother mountain move much music name near need never new night north note nothing notice number object ocean often " +
  "old once open order other own page paper part pass pattern people person picture piece place plain plan plane plant play " +
  "point power press problem produce pull question quick rain reach ready real record red remember rest river road rock room " +
  "round rule said school science second sentence serve ship short shape should simple size sleep slow small snow some song " +
  "sound south space special spell stand star start state step still stood stop story street strong study such surface table"
).split(" ");

/** Text that is the same for the same seed. */
export interface Prose {
  random: Random;
  number(below: number): number;
  words(count: number): string;
  title(count: number): string;
  sentence(): string;
  paragraph(sentences: number): string;
}

export function prose(seed: number): Prose {
  const random = seeded(seed);
  const number = (below: number) => Math.floor(random() * below);
  const words = (count: number) =>
    Array.from({ length: count }, () => vocabulary[number(vocabulary.length)]).join(" ");
  const title = (count: number) => capital(words(count));
  const sentence = () => `${capital(words(6 + number(14)))}.`;
  const paragraph = (sentences: number) => Array.from({ length: sentences }, sentence).join(" ");
  return { random, number, words, title, sentence, paragraph };
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
