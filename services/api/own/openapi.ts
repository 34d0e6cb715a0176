import type { OwnAnswer } from "../route.ts";

export const openapi: OwnAnswer = {
  params: {},
  answer: gateway => ({ type: "application/json; charset=utf-8", body: gateway.document }),
};
