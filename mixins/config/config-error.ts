/** A setting that does not parse, or that names what cannot be used. The message names the variable and says why. */
export class ConfigError extends Error {
  constructor(name: string, expectation: string, options?: ErrorOptions) {
    super(`${name}: ${expectation}`, options);
  }
}
