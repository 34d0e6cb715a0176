/** A setting that does not parse. The message names the variable and what it takes. */
export class ConfigError extends Error {
  constructor(name: string, expectation: string) {
    super(`${name}: ${expectation}`);
  }
}
