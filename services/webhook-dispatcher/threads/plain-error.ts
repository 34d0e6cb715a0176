/** An error as an object that can be sent to another thread, whatever it carries. */
export interface PlainError {
  isError: true;
  fields: Record<string, unknown>;
}

/** The copy of an error that is posted as it is has none but the first two. */
const kept = ["message", "stack", "name", "type", "code", "errcode", "errstr", "data", "cause"];

export function plainError(error: unknown): PlainError {
  if (!(error instanceof Error)) return { isError: true, fields: { name: "Error", message: String(error) } };
  const own = error as Error & Record<string, unknown>;
  const fields = kept.flatMap(name => (own[name] === undefined ? [] : [[name, plainValue(own[name])]]));
  return { isError: true, fields: Object.fromEntries(fields) };
}

/** The error that `plainError` was made of. */
export function errorOf({ fields: { message, ...fields } }: PlainError): Error {
  const { cause, ...others } = fields;
  const error = new Error(String(message));
  return Object.assign(error, others, isPlain(cause) && { cause: errorOf(cause) });
}

/** The fields of a line of the log, with its errors as objects. */
export function plainLine(line: unknown[]): unknown[] {
  return line.map(part => mapFields(part, plainValue));
}

export function lineOf(plain: unknown[]): unknown[] {
  return plain.map(part => mapFields(part, field => (isPlain(field) ? errorOf(field) : field)));
}

function mapFields(part: unknown, map: (field: unknown) => unknown): unknown {
  if (typeof part !== "object" || part === null || part instanceof Error || isPlain(part)) return map(part);
  return Object.fromEntries(Object.entries(part).map(([name, field]) => [name, map(field)]));
}

function plainValue(value: unknown): unknown {
  if (value instanceof Error) return plainError(value);
  if (typeof value === "function" || typeof value === "symbol") return String(value);
  if (typeof value !== "object" || value === null) return value;
  try {
    return structuredClone(value);
  } catch {
    return String(value);
  }
}

function isPlain(value: unknown): value is PlainError {
  return Object(value).isError === true;
}
