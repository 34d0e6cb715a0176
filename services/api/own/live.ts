import type { OwnAnswer } from "../route.ts";

/** That it answers at all is the message. */
export const live: OwnAnswer = { params: { $$strict: true }, answer: () => ({ body: { status: "live" } }) };
