import { join } from "node:path";
import { checkServices } from "../../../mixins/runtime/start-errors.middleware.ts";

const services = join(import.meta.dirname, "../../../services");

test.each([[[]], [["keys", "webhook-dispatcher"]], [["*/*.service.ts"]], [["*/*.service.ts", "!api"]]])(
  "%j may run",
  named => checkServices(named, services),
);

test.each([
  [["webhook"], "webhook"],
  [["keys", "nonsense"], "nonsense"],
  // The runner would take it for all of them.
  [["keys", ""], ""],
])("%j is refused, with the services that exist", (named, unknown) => {
  expect(() => checkServices(named, services)).toThrow(
    `SERVICES: there is no service "${unknown}"; there are admin, api, connectors, crawler, history, keys, `,
  );
});
