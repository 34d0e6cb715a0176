import type { StoredEndpoint } from "../room.ts";
import type { Journal } from "./journal.ts";

/** Takes the lanes of these keys into memory and answers their endpoints; keys without an active one are left out. */
export async function loadActive(journal: Journal, keyIds: string[]): Promise<StoredEndpoint[]> {
  const { lanes, endpoints } = await journal.write(batch => {
    const found = batch.lanes.find({ query: { _id: { $in: keyIds }, status: "ACTIVE" } });
    const ids = found.map(({ _id }) => _id);
    const query = { _id: { $in: ids } };
    return {
      lanes: found,
      endpoints: ids.length > 0 ? batch.endpoints.find({ query }) : [],
    };
  });
  journal.keep(lanes);
  return endpoints;
}
