import { picked, webhookKind } from "../webhook-kind.ts";
import { memberForms } from "./member-forms.ts";

const { maybe, text } = memberForms;

/** Events about the service itself. */
export const serviceKinds = {
  "webhook.endpoint_disabled": webhookKind({
    when: "the service disabled an endpoint of webhooks that answered 410 or failed for five days",
    rows: ["webhook.disabled"],
    data: {
      webhook_id: text,
      origin: text.describe("Scheme, host and port of its address."),
      disabled_reason: maybe.describe(
        "`gone`: it answered 410. `failed_for_too_long`: it failed for five days.",
      ),
    },
    example: { webhook_id: "whk_3a1e", origin: "https://hooks.example", disabled_reason: "gone" },
    read: (row) => picked(row, "webhook_id", "origin", "disabled_reason"),
  }),
};
