/* Begins a check of a monitor. */
import type { Monitor } from "../../services/contracts/monitors.contract.ts";
import { toast } from "../parts/toast.ts";
import { post } from "../shell/client.ts";

export async function runMonitor(
  { id, name }: Pick<Monitor, "id" | "name">,
  renew: () => Promise<void>,
): Promise<void> {
  try {
    await post(`/monitors/${encodeURIComponent(id)}/run`);
    toast(`${name} is being checked.`);
    await renew();
  } catch (error) {
    toast.failed(error);
  }
}
