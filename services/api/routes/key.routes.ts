import { listMyKeys, setMessengerDefaultKey } from "../../contracts/keys.contract.ts";
import { apiKey, shape, withMessage } from "../openapi/schemas.ts";
import type { Route } from "../route.ts";

const defaultKeyId = { type: ["string", "null"], description: "The key that the messenger bot uses." };

export const keyRoutes: Route[] = [
  {
    method: "GET",
    path: "/users/me/api-keys",
    action: listMyKeys,
    auth: "key",
    status: 200,
    tag: "API keys",
    summary: "List the owner's keys",
    description: "Every key that belongs to the same owner as the calling key, newest first.",
    responses: {
      200: {
        description: "The keys.",
        schema: withMessage(
          shape({ apiKeys: { type: "array", items: apiKey }, messengerDefaultApiKeyId: defaultKeyId }),
        ),
      },
    },
  },
  {
    method: "PUT",
    path: "/users/me/messenger-default-key",
    action: setMessengerDefaultKey,
    auth: "key",
    status: 200,
    tag: "API keys",
    summary: "Choose the messenger bot's key",
    description: "`null` chooses none. A key of another owner is answered as if it did not exist.",
    examples: {
      choose: { apiKeyId: "01JQ4T5W6X7Y8Z9ABCDEFGHJKM" },
      none: { apiKeyId: null },
    },
    responses: {
      200: {
        description: "What is chosen now.",
        schema: withMessage(shape({ messengerDefaultApiKeyId: defaultKeyId })),
      },
    },
    errors: ["not_found"],
  },
];
