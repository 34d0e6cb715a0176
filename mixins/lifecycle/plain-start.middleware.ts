import type { Middleware, Service, ServiceSchema } from "moleculer";

type Hook = (this: Service) => unknown;

/**
 * Ends the process with one plain line when a service cannot be made or started; Moleculer's runner prints stacks,
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

/** A class has a prototype that cannot be written; an arrow or plain function is taken for a factory. */
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
