import { join } from "node:path";
import { checkRooms } from "../../../../mixins/lifecycle/check-rooms.ts";

const services = join(import.meta.dirname, "../../../../services");

test.each([[[]], [["keys", "webhook-dispatcher"]], [["*/*.service.ts"]], [["*/*.service.ts", "!api"]]])(
  "%j may run",
  named => checkRooms(named, services),
);

test.each([
  [["webhook"], "webhook"],
  [["keys", "nonsense"], "nonsense"],
  // The runner would take it for all of them.
  [["keys", ""], ""],
])("%j is refused, with the rooms that there are", (named, unknown) => {
  expect(() => checkRooms(named, services)).toThrow(
    `SERVICES: there is no room "${unknown}"; there are admin, api, connectors, crawler, keys, `,
  );
});
