import type { TextBody } from "../route.ts";

/** Larger than the number of versions that anybody will write. */
export const MAX_VERSION = 999_999_999;

/** A policy document as the body of a request. */
export const DOCUMENT_BODY: TextBody = {
  kind: "text",
  mediaTypes: ["application/yaml", "application/json", "application/x-yaml", "text/yaml", "text/x-yaml"],
  description: "A policy document, as docs/POLICY.md specifies it.",
  example: "id: demo\nagent_id: demo-agent\ntools:\n  allowed: [payments.refund]\n",
};
