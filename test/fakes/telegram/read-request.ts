import { createRequire } from "node:module";
import type { TlBinaryReader } from "@mtcute/core/utils.js";

interface Argument {
  name: string;
  type: string;
  typeModifiers?: { predicate?: string; isVector?: boolean };
}

/** A request of the client: its method and its arguments, named as the library names them. */
export interface Request {
  _: string;
  [argument: string]: unknown;
}

const schema = createRequire(import.meta.url)("@mtcute/core/tl/api-schema.json") as {
  e: { kind: string; name: string; id: number; arguments: Argument[] }[];
};
const methods = new Map(schema.e.filter(({ kind }) => kind === "method").map(method => [method.id, method]));

/**
 * Reads a request by the library's schema: its own readers know what servers send, and no methods. Wrappers such as
 * `invokeWithLayer` hold theirs as `query`.
 */
export function readRequest(reader: TlBinaryReader): Request {
  const id = reader.uint();
  const method = methods.get(id);
  if (!method) return reader.object(id) as Request;
  const flags = new Map<string, number>();
  const request: Request = { _: method.name };
  for (const argument of method.arguments) {
    const { name, type, typeModifiers } = argument;
    if (type === "#") flags.set(name, reader.uint());
    else if (isThere(typeModifiers?.predicate, flags))
      request[camelCase(name)] = readArgument(reader, argument);
  }
  return request;
}

function isThere(predicate: string | undefined, flags: Map<string, number>): boolean {
  const [name = "", bit = "0"] = predicate?.split(".") ?? [];
  return predicate === undefined || ((flags.get(name) ?? 0) & (1 << Number(bit))) !== 0;
}

function readArgument(reader: TlBinaryReader, { type, typeModifiers }: Argument): unknown {
  if (typeModifiers?.isVector) return reader.vector(() => readValue(reader, type));
  return readValue(reader, type);
}

function readValue(reader: TlBinaryReader, type: string): unknown {
  switch (type) {
    case "true":
      return true;
    case "int":
      return reader.int();
    case "int53":
      return reader.int53();
    case "long":
      return reader.long();
    case "double":
      return reader.double();
    case "string":
      return reader.string();
    case "bytes":
      return reader.bytes();
    case "int256":
      return reader.int256();
    case "Bool":
      return reader.boolean();
    case "!X":
      return readRequest(reader);
    default:
      return reader.object();
  }
}

function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
