import type { SourceKind } from "../../contracts/source.ts";

/** The platforms that have a driver of the social port. */
export const socialKinds = ["microblog", "chatserver", "messenger"] as const satisfies SourceKind[];
export type SocialKind = (typeof socialKinds)[number];

export function isSocial(kind: SourceKind): kind is SocialKind {
  return socialKinds.some(each => each === kind);
}
