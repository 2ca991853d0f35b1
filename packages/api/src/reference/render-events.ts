import { signWebhook } from "@svc/contract/sign-webhook";
import { WEBHOOK_EVENTS, WEBHOOK_TYPES, type WebhookType } from "@svc/contract/webhook-event";
import { renderWebhookBody } from "@svc/contract/webhook-events-of-row";
import { Components } from "../openapi/schema-object.ts";
import { shownWebhookEvent, WEBHOOK_BODIES } from "../webhook-bodies.ts";
import { type ObjectField, objectFields } from "./object-fields.ts";

/** The heading under which docs/EVENTS.md lists every kind. What follows it there is made from the table. */
export const KINDS_HEADING = "## Every kind of event";

/** Signs the delivery that the page shows. */
const SHOWN_SECRET = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX";

const INTRODUCTION =
  "This part is made from the table of events in the code. The `webhooks` of " +
  "[openapi.yaml](../packages/api/openapi/openapi.yaml), which every server has at `/api/v1/openapi.json`, " +
  "hold the same as a JSON Schema for each kind. `svc-cli trigger <kind>` sends a sample.";

/** An HTTP request as a receiver gets it, which any library of Standard Webhooks can verify. */
export async function renderDelivery(): Promise<string> {
  const event = shownWebhookEvent("killswitch.activated");
  const [nowS, deliveryId] = [Date.parse(event.timestamp) / 1_000, "dlv_5d1f3c9a7b0e48265d1f3c9a7b0e4826"];
  const body = renderWebhookBody(event);
  const headers = await signWebhook({ event, body, deliveryId, secrets: [SHOWN_SECRET], nowS });
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return ["POST /hooks HTTP/1.1", ...lines, "", body].join("\n");
}

/** The reference part of docs/EVENTS.md: all kinds at a glance, the body around them, then each kind. */
export function renderEvents(): string {
  const [first = "policy.decision"] = WEBHOOK_TYPES;
  return [
    KINDS_HEADING,
    INTRODUCTION,
    overview(),
    "### What every body has",
    fieldTable(fieldsOf(WEBHOOK_BODIES[first]).filter(({ name }) => name !== "data")),
    "`data` has the members of its kind. Every one is always there: what is not known is null.",
    ...WEBHOOK_TYPES.flatMap(detail),
  ]
    .join("\n\n")
    .concat("\n");
}

function overview(): string {
  const lines = WEBHOOK_TYPES.map(
    (type) => `| [\`${type}\`](#${type.replaceAll(".", "")}) | ${WEBHOOK_EVENTS[type].when} |`,
  );
  return ["| Kind | Sent when |", "|---|---|", ...lines].join("\n");
}

function detail(type: WebhookType): readonly string[] {
  const { data, when } = WEBHOOK_EVENTS[type];
  return [
    `### ${type}`,
    `Sent when ${when}.`,
    fieldTable(fieldsOf(data)),
    `\`\`\`json\n${JSON.stringify(WEBHOOK_EVENTS[type].example, null, 2)}\n\`\`\``,
  ];
}

function fieldsOf(schema: Parameters<Components["add"]>[0]): readonly ObjectField[] {
  const components = new Components();
  return objectFields(components.add(schema, "output"), components);
}

function fieldTable(fields: readonly ObjectField[]): string {
  const lines = fields.map(({ name, type, meaning }) => {
    const shown = meaning === "" ? type : `${type}. ${meaning}`;
    return `| \`${name}\` | ${shown} |`;
  });
  return ["| Member | What it is |", "|---|---|", ...lines].join("\n");
}
