/*
 * Who is signed in, and which key the pages of a key act as.
 *
 *   session.value   undefined until the service has answered, null when nobody is signed in
 *   actingKey.value the id of the chosen key, "" for none and for a session by API key
 *   hasKey.value    whether the endpoints of a key can be asked
 */
import { computed, signal } from "@preact/signals";
import type { Session } from "../../services/contracts/session.contract.ts";
import { query } from "./address.ts";

export type Role = Session["role"];

export const session = signal<Session | null | undefined>(undefined);

/** Whether a session ended while its pages were open. */
export const hasEnded = signal(false);

export const role = computed(() => session.value?.role);

/** The acting key. It is in the address, so that a link shows a colleague the same. */
export const actingKey = computed(() => (role.value === "key" ? "" : query("key")));

export const hasKey = computed(() => role.value === "key" || actingKey.value !== "");
