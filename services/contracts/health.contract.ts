import { repeatable } from "./action.ts";
import { type Infer, list, object, text } from "./schema.ts";

/** What a service says of one thing that it needs. */
export const finding = object({
  name: text,
  /** `degraded`: it works, with less than it could. `missing`: what needs it does not work. */
  status: { type: "enum", values: ["ok", "degraded", "missing"] },
  /** A plain sentence for operators. It is public. */
  detail: { ...text, optional: true, description: "What to do about it." },
});
export type Finding = Infer<typeof finding>;

/** The operation by which a service reports its health: `<service>.health`. */
export const health = (service: string) =>
  repeatable(`${service}.health`, { params: {}, result: object({ findings: list(finding) }) });

/** The service that an operation belongs to. */
export const serviceOf = ({ name }: { name: string }): string => name.slice(0, name.indexOf("."));

/** The name of the gateway on the bus. */
export const gatewayService = "api";

/** What a gateway publishes about itself to all nodes. */
export interface GatewayMetadata {
  /** Where it listens, as a URL; its host may stand for every address of its node. */
  address?: string;
}
