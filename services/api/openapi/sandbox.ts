import { type SandboxInventory, sandboxInventory } from "../../domain/sandbox/inventory.ts";

type Platform = keyof SandboxInventory;

/** Which network stands behind each platform. */
export type Drivers = Record<Platform, { driver: string }>;

/** What the document says of platforms that are simulated, and what those hold; nothing where none is. */
export function sandboxDocs(drivers: Drivers): { prose: string; inventory: Partial<SandboxInventory> } {
  const simulated = (Object.keys(titles) as Platform[]).filter(name => drivers[name].driver === "sandbox");
  if (simulated.length === 0) return { prose: "", inventory: {} };
  const inventory = sandboxInventory();
  const shown = Object.fromEntries(simulated.map(name => [name, inventory[name]]));
  return { prose: sentence(simulated), inventory: shown };
}

function sentence(simulated: Platform[]): string {
  const names = simulated.map(name => titles[name]).join(", ");
  return (
    `\n\n**Sandbox.** Simulated in this installation, not real: ${names}. What there is to track and to search is listed ` +
    "under `x-sandbox` of this document; `POST /internal/sandbox/post` posts there. A gated channel lets everyone in " +
    "after 3 seconds."
  );
}

const titles: Record<Platform, string> = {
  microblog: "the microblog",
  chatserver: "the chat servers",
  messenger: "the messenger",
};
