import type { TrackerContext } from "../context.ts";

/** Forgets the monitors of a deleted key; its subscriptions end by themselves. */
export async function forgetMonitors(context: TrackerContext, keyId: string): Promise<void> {
  const { monitors, members, checks, pages } = context;
  await monitors.removeMany({ keyId });
  await members.removeMany({ keyId });
  await checks.removeMany({ keyId });
  await pages.removeMany({ keyId });
}
