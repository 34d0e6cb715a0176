import type { DestinationOptionsOf, DestinationType } from "../../contracts/destinations.ts";

/** What a type of destination is, without its library. */
export interface DestinationKind<Type extends DestinationType> {
  /** The options that are encrypted. */
  secrets: readonly (keyof DestinationOptionsOf<Type> & string)[];
  /** Whether each attempt writes a file: one after the other, in batches. */
  inFiles: boolean;
  /** Where it is, as answers show it: a URL without secrets. */
  urlOf(options: DestinationOptionsOf<Type>): string;
  /** The server that gets the secrets: hidden ones stay as long as it does. */
  serverOf(options: DestinationOptionsOf<Type>): string;
  /** Throws a 400 that names the field where these options can never work here. */
  admit(options: DestinationOptionsOf<Type>, admission: Admission): void;
}

/** What decides whether a destination may be used. */
export interface Admission {
  /** Throws unless it is a URL that the guard admits; `field` holds it. */
  admitUrl(url: string, field: string): void;
  folder: string | undefined;
}
