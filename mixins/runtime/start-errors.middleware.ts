import { globSync } from "node:fs";
import { dirname } from "node:path";
import type { Middleware, Service, ServiceSchema } from "moleculer";
import { ConfigError } from "../config/env.ts";

type Hook = (this: Service) => unknown;

/**
 * Ends the process with one plain line when a service cannot be created or started; Moleculer's runner prints the stack
 * twice. Also calls the functions that service files export: the runner for ES modules takes only schemas.
 */
export function plainStart(refuse: (error: unknown) => never): Middleware {
  return {
    name: "PlainStart",
    createService(next: (schema: unknown, mods?: unknown) => unknown) {
      return (schema: unknown, mods?: unknown) => {
        try {
          return next(isFactory(schema) ? schema() : schema, mods);
        } catch (error) {
          return refuse(error);
        }
      };
    },
    async serviceStarting(service: Service) {
      const schema = service.schema as ServiceSchema & { started?: Hook | Hook[] };
      schema.started = [schema.started ?? []].flat().map(hook => guarded(hook as Hook, refuse)) as never;
    },
  } as Middleware;
}

/** An arrow or plain function is a factory; a class, whose prototype is not writable, is not. */
function isFactory(schema: unknown): schema is () => ServiceSchema {
  return (
    typeof schema === "function" && Object.getOwnPropertyDescriptor(schema, "prototype")?.writable !== false
  );
}

function guarded(hook: Hook, refuse: (error: unknown) => never): Hook {
  return async function (this: Service) {
    try {
      await hook.call(this);
    } catch (error) {
      refuse(error);
    }
  };
}

/** Writes in one line why the program cannot start, and ends it. */
export function refuseToStart(error: unknown): never {
  const reason = error instanceof Error ? error.message : String(error);
  process.stderr.write(`magpie cannot start: ${reason.replaceAll(/\s*\n\s*/g, " ")}\n`);
  process.exit(1);
}

/** Throws for a service that does not exist: Moleculer's runner would start without it. Patterns and paths are left to the runner. */
export function checkServices(named: readonly string[], services: string): void {
  const known = globSync("*/*.service.{ts,js}", { cwd: services }).map(dirname).sort();
  const unknown = named.find(name => !known.includes(name) && !/[*?{[!/.]/.test(name));
  if (unknown !== undefined)
    throw new ConfigError("SERVICES", `there is no service "${unknown}"; there are ${known.join(", ")}`);
}
