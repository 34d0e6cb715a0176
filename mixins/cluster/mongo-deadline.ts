import type { Collection, Document } from "mongodb";
import { fail } from "../../services/contracts/errors.ts";
import { within } from "../async/timeout.ts";

/** Longer than any command takes. */
export const commandMs = 15_000;

/**
 * The collection with operations that end, also those of its cursors: with the code `overloaded` when they take longer. The
 * driver has no deadline (its `timeoutMS` does nothing since 7.9). It waits for ever for a connection to take a command that
 * ended just before, and so does all that waits for the operation (docs/decisions/0186).
 */
export function withDeadline<Stored extends Document>(
  collection: Collection<Stored>,
  ms: number = commandMs,
): Collection<Stored> {
  return endingWithin(ms, collection);
}

/** What the driver makes for several commands: a cursor. */
interface Source {
  toArray?: unknown;
}

function endingWithin<Of extends object>(ms: number, source: Of): Of {
  return new Proxy(source, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      return (...args: unknown[]) => {
        const result: unknown = Reflect.apply(value, target, args);
        if (result instanceof Promise) return inTime(result, ms);
        return (Object(result) as Source).toArray ? endingWithin(ms, result as object) : result;
      };
    },
  });
}

/** The command may still be carried out later, as where a connection ends before its answer. */
export function inTime<Result>(command: Promise<Result>, ms: number = commandMs): Promise<Result> {
  return within(ms, command, () => {
    const message = "The service cannot take this request right now. Try again shortly.";
    throw fail("overloaded", message, {}, new Error(`MongoDB has not answered within ${ms} ms`));
  });
}
