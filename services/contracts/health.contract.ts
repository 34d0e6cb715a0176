import { repeatable } from "./action.ts";

/** What a room says of one thing that it needs. */
export interface Finding {
  name: string;
  /** `degraded`: it works, with less than it could; `missing`: what needs it does not work. */
  status: "ok" | "degraded" | "missing";
  /** A plain sentence that tells what to do; read by people who run the service, and public. */
  detail?: string;
}

export interface RoomHealth {
  findings: Finding[];
}

/** The operation by which a room tells how it is: `<room>.health`. */
export const health = (room: string) =>
  repeatable<Record<string, never>, RoomHealth>(`${room}.health`, { $$strict: true });

/** The room that an operation belongs to. */
export const roomOf = ({ name }: { name: string }): string => name.slice(0, name.indexOf("."));
