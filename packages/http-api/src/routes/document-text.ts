import type { TextInput } from "@svc/api/route";
import type { PolicyMediaType } from "@svc/contract/policy";
import { problem } from "@svc/contract/problem";
import type { DocumentText } from "@svc/control-plane/read-document";
import type { Refusal } from "@svc/control-plane/refusal";

/** The policy document in a body. */
export function documentText({
  mediaType,
  bytes,
}: TextInput): { readonly kind: "ok"; readonly value: DocumentText } | Refusal {
  // JSON has one media type. YAML has several, and all others that the route takes are names of it.
  const stored: PolicyMediaType = mediaType === "application/json" ? "application/json" : "application/yaml";
  try {
    const source = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return { kind: "ok", value: { source, mediaType: stored } };
  } catch {
    return { kind: "problem", problem: problem("invalid_policy", "the document is not UTF-8") };
  }
}
