import { action, type ParamsOf, repeatable } from "./action.ts";
import { session } from "./page-actions.ts";
import { nullableTime, pageOfKey, pageWith } from "./paging.ts";
import { cursorOf, type Infer, named, nothing, object, rule, text, time, withMessage } from "./schema.ts";

/*
 * Sessions at sites: cookies, local storage and the login of one key for one site. No answer has any of these.
 */

const sessionId = rule({ type: "string", min: 1, max: 64, description: "`id` of the session." });

const siteSession = named("SiteSession", {
  id: text,
  name: text,
  site: { ...text, description: "The registrable domain, or the host where there is none." },
  has_login: { type: "boolean", description: "Whether it can sign in by itself." },
  signed_in_since: {
    ...nullableTime,
    description:
      "When its login last succeeded; null where the site has asked for one since, or never got one.",
  },
  last_checked: { ...nullableTime, description: "The latest visit; null before the first." },
  last_login: { ...nullableTime, description: "When a login was last tried, with or without success." },
  problem: {
    ...named("SessionProblem", { message: text, at: time }),
    nullable: true,
    description: "Why it is not signed in.",
  },
  created_at: time,
  expires_at: { ...time, description: "When it is erased unless it is used before." },
});
export type SiteSession = Infer<typeof siteSession>;

/** The sessions of the calling key. */
export const listSessions = repeatable("scraper.listSessions", {
  params: { ...pageOfKey, cursor: cursorOf(/^ses_[\w-]{22}$/) },
  result: pageWith(siteSession),
});
export type SessionsRequest = ParamsOf<typeof listSessions>;

/** A session of the calling key; 404 for another's. */
export const getSession = repeatable("scraper.getSession", {
  params: { id: sessionId },
  result: withMessage(siteSession),
});

/** Erases jar and login of a session of the calling key; 404 for another's. */
export const eraseSession = action("scraper.eraseSession", {
  params: { id: sessionId },
  result: withMessage(named("ErasedSession", { id: text })),
});

/**
 * Keeps the login of a session, encrypted, for later visits to the site of an address. 400 for an address that is not allowed
 * and for a login at another site. Not published.
 */
export const keepLogin = repeatable("scraper.keepLogin", {
  params: {
    keyId: text,
    url: text,
    session: { ...session, optional: false },
    /** The fields of the request that address and session are in. */
    fields: object({ url: text, session: text }),
  },
  result: nothing,
});
export type SessionToKeep = ParamsOf<typeof keepLogin>;
