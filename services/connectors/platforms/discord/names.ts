import { GatewayDispatchEvents, type GatewayDispatchPayload } from "@discordjs/core/http-only";
import type { Mention } from "../../../contracts/social.ts";

/** Names of the channels and roles of the bot's servers, by their ids. */
export type Names = Map<string, string>;

/** More are not kept. */
const mostNames = 100_000;

export function rememberName(names: Names, { id, name }: { id: string; name?: string | null }): void {
  if (name && (names.size < mostNames || names.has(id))) names.set(id, name);
}

/** What the gateway says of names: all of them when a server is there, then each change. */
export function learnNames(names: Names, { t, d }: GatewayDispatchPayload): void {
  if (t === GatewayDispatchEvents.GuildCreate && !d.unavailable)
    for (const each of [...d.channels, ...d.threads, ...d.roles]) rememberName(names, each);
  if (t === GatewayDispatchEvents.ChannelCreate || t === GatewayDispatchEvents.ChannelUpdate)
    rememberName(names, d);
  if (t === GatewayDispatchEvents.ThreadCreate || t === GatewayDispatchEvents.ThreadUpdate)
    rememberName(names, d);
  if (t === GatewayDispatchEvents.GuildRoleCreate || t === GatewayDispatchEvents.GuildRoleUpdate)
    rememberName(names, d.role);
}

/** The channels (`<#id>`) and roles (`<@&id>`) that a text names, as far as their names are known. */
export function namedIn(content: string, guildId: string | null, names: Names = new Map()): Mention[] {
  return [...content.matchAll(/<(#|@&)(\d{17,20})>/g)].flatMap(([, mark, id = ""]): Mention[] => {
    const name = names.get(id);
    if (name === undefined) return [];
    if (mark !== "#") return [{ id, name, type: "role" }];
    const url = `https://discord.com/channels/${guildId ?? "@me"}/${id}`;
    return [{ id, name, type: "channel", url }];
  });
}
