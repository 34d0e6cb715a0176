import {
  changePassword,
  closeSession,
  currentSession,
  openSession,
  setPassword,
} from "../session/session-answers.ts";
import type { Route } from "./route.ts";

const common = { auth: "none", tag: "Session", dashboard: true, path: "/session" } as const;

const example = {
  data: { role: "owner", owner: "acme", key: null, expires_at: "2025-03-25T21:30:00.000Z" },
  message: "Signed in.",
};

export const sessionRoutes: Route[] = [
  {
    ...common,
    name: "signIn",
    method: "POST",
    action: openSession,
    status: 201,
    summary: "Sign in",
    description:
      "Sets a cookie for 12 hours. It counts only in requests that a page of this origin makes, a write needs the header " +
      "`x-magpie-csrf: 1` as well, and never beside a key in a header. After five wrong tries in a minute from one address " +
      "more are refused, and passwords even if they are right; so they are after 30 wrong ones for one owner. A browser in " +
      "which the owner signed in before has five of its own.",
    examples: {
      "either key": { key: "…" },
      administrator: { admin_key: "…" },
      "API key": { api_key: "mk_…" },
      owner: { owner: "acme", password: "…" },
    },
    responses: { 201: { description: "The session; the cookie is in `Set-Cookie`.", example } },
    errors: ["unauthorized", "forbidden", "rate_limited", "overloaded"],
  },
  {
    ...common,
    name: "getSession",
    method: "GET",
    action: currentSession,
    status: 200,
    summary: "Who is signed in",
    description: "The role, the owner or the key, and when the session ends. 401 without a session.",
    responses: { 200: { description: "The session of the cookie.", example } },
    errors: ["unauthorized", "overloaded"],
  },
  {
    ...common,
    name: "signOut",
    method: "DELETE",
    action: closeSession,
    status: 204,
    summary: "Sign out",
    description:
      "Ends the session, also for every copy of its cookie, and deletes the cookie. Needs `x-magpie-csrf: 1`, with or " +
      "without a session.",
    responses: { 204: { description: "Signed out." } },
    errors: ["unauthorized", "rate_limited", "overloaded"],
  },
  {
    ...common,
    name: "setPassword",
    path: "/session/password",
    method: "POST",
    action: setPassword,
    status: 201,
    summary: "Set an owner's password by its one-time link",
    description:
      "Signs in as `POST /session` does. A link that was used, is older than 24 hours, or was replaced by a newer one is 410.",
    examples: { link: { token: "…", password: "correct horse battery" } },
    responses: { 201: { description: "The session; the cookie is in `Set-Cookie`.", example } },
    errors: ["unauthorized", "forbidden", "expired", "overloaded"],
  },
  {
    ...common,
    name: "changePassword",
    path: "/session/password",
    method: "PUT",
    auth: "owner",
    action: changePassword,
    status: 200,
    summary: "Change the owner's password",
    description:
      "Every other session of the owner ends. A wrong current password is 403, and counts as a wrong sign-in.",
    examples: { change: { current_password: "…", new_password: "correct horse battery" } },
    responses: { 200: { description: "A new session; the cookie is in `Set-Cookie`.", example } },
  },
];
