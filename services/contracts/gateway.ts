/** The name of the gateway's room on the bus. */
export const gatewayRoom = "api";

/** What a gateway tells all nodes of itself. */
export interface GatewayMetadata {
  /** Where it listens, as a URL; its host may stand for every address of its node. */
  address?: string;
}
