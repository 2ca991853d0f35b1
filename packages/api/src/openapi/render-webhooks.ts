import { WEBHOOK_EVENTS, WEBHOOK_TYPES } from "@svc/contract/webhook-event";
import { inPascalCase, shownWebhookEvent, WEBHOOK_BODIES } from "../webhook-bodies.ts";
import type { Components, SchemaObject } from "./schema-object.ts";

/** What a receiver of webhooks gets, for each kind of event. */
export function renderWebhooks(components: Components): SchemaObject {
  return Object.fromEntries(
    WEBHOOK_TYPES.map((type) => {
      const schema = components.add(WEBHOOK_BODIES[type], "output");
      const content = { "application/json": { schema, example: shownWebhookEvent(type) } };
      const post = {
        operationId: `on${inPascalCase(type)}`,
        summary: `Sent when ${WEBHOOK_EVENTS[type].when}`,
        description: "docs/EVENTS.md says how to verify it.",
        tags: ["Events"],
        security: [],
        requestBody: { required: true, content },
        responses: {
          "2XX": {
            description: "It has arrived. After any other answer, or none in 15 s, it is sent again.",
          },
        },
      };
      return [type, { post }];
    }),
  );
}
