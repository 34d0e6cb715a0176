import { isDeepStrictEqual } from "node:util";

type Json = Record<string, unknown>;

/**
 * What the document holds once, below `components`, and refers to: generated clients then have one type for one thing.
 */
export class NamedParts {
  readonly #kind: "schemas" | "responses";
  readonly #parts = new Map<string, Json>();

  constructor(kind: "schemas" | "responses") {
    this.#kind = kind;
  }

  /** Keeps a part under its name and refers to it. Throws when the name has another part already. */
  refer(name: string, part: Json): Json {
    if (!isDeepStrictEqual(this.#parts.get(name) ?? part, part))
      throw new Error(`Two ${this.#kind} of the OpenAPI document have the name ${name}.`);
    this.#parts.set(name, part);
    return { $ref: `#/components/${this.#kind}/${name}` };
  }

  /** All of them, in the order of their names. */
  all(): Json {
    return Object.fromEntries([...this.#parts].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}

/** The name of a type: `startCrawl` and `rss.item.created` become `StartCrawl` and `RssItemCreated`. */
export function typeName(name: string): string {
  return name.replace(/(?:^|[._ ])(\w)/g, (_, letter: string) => letter.toUpperCase());
}
