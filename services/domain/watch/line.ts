/** The parts of a page, as its markup and the reader's model tell them. */
export const areas = [
  "main",
  "header",
  "navigation",
  "aside",
  "footer",
  "dialog",
  "comments",
  "related",
  "consent",
  "advertisement",
] as const;
export type Area = (typeof areas)[number];

/** A line of a page: a block of its visible text, a control, an option, a picture, the title. */
export interface Line {
  /** As the page shows it, as Markdown of one line; marks are in it, such as `~~$149~~` or `(x) 38`. */
  text: string;
  /** Where it is: the path from the nearest stable ancestor, and the position there. Equal at each check. */
  place: string;
  area: Area;
  /** A button, an option or the name of an icon, not a text of the author. */
  isControl?: true;
}

/** A line whose text changes so often that its changes say nothing. */
export interface MutedLine {
  place: string;
  /** What it shows now. */
  text: string;
  /** Milliseconds since the epoch. */
  since: number;
  /** The pattern that would settle it for good, for the option `ignore`; "" for none. */
  ignore: string;
}
