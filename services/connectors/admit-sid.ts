import { codeOf, fail } from "../contracts/errors.ts";
import type { ConnectorTools } from "./connector.ts";

/** The URL of a `sid`; a refusal names the field. */
export function admitSid(sid: string, { admit }: Pick<ConnectorTools, "admit">): URL {
  try {
    const url = admit(sid.trim());
    // A query of nothing is none, though it looks like another address.
    if (url.search === "") url.search = "";
    return url;
  } catch (error) {
    throw namingSid(error);
  }
}

/** Refusals of the guard name the field, whether they come at the door or at the connection. */
export function namingSid(error: unknown): unknown {
  const code = codeOf(error);
  if (code !== "invalid_url" && code !== "url_not_allowed") return error;
  const { message } = error as Error;
  return fail(code, message, { details: [{ field: "sid", code, message }] }, error);
}
