import type { Service, ServiceSchema } from "moleculer";
import { actions, handle } from "../../services/contracts/action.ts";
import { type Finding, health } from "../../services/contracts/health.contract.ts";

/**
 * Adds `<room>.health`, which the gateway asks for `/health/ready`. `checks` answers within 2 s and tells what is
 * missing as findings; it throws only when the room cannot work at all.
 */
export function healthMixin<Room = Service>(
  room: string,
  checks: (room: Room) => Promise<Finding[]> | Finding[],
): Partial<ServiceSchema> {
  return {
    actions: actions(
      handle(health(room), "public", async function (this: Room) {
        return { findings: await checks(this) };
      }),
    ),
  };
}
