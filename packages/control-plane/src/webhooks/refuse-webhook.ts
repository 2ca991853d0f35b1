import type { Principal } from "@svc/contract/principal";
import type { WebhookUpdate } from "@svc/contract/webhook";
import { callStore, NOT_READ } from "../call-store.ts";
import { type Refusal, refuse } from "../refusal.ts";
import type { WebhookPorts } from "./webhook-ports.ts";

/** Refuses what no endpoint may have: an address that may not be called, a namespace that does not exist. */
export async function refuseWebhook(
  ports: Pick<WebhookPorts, "log" | "namespaces" | "destinations">,
  { org }: Principal,
  { url, namespaces }: Pick<WebhookUpdate, "url" | "namespaces">,
): Promise<Refusal | null> {
  const why = url === undefined ? null : await ports.destinations.judge(url);
  if (url !== undefined && why !== null) {
    const expected = `an address that may be called: ${why}`;
    return refuse("invalid_request", `url: ${why}.`, [{ pointer: "/url", expected, found: shownUrl(url) }]);
  }
  for (const [index, id] of (namespaces ?? []).entries()) {
    const found = await callStore(ports, NOT_READ, () => ports.namespaces.namespace(org, id));
    if (found.kind === "problem") return found;
    if (found.value !== null) continue;
    const pointer = `/namespaces/${String(index)}`;
    const expected = "a namespace of this organization";
    const fix = "GET namespaces lists them, and POST namespaces creates one";
    const name = JSON.stringify(id);
    const detail = `This organization has no namespace ${name}. ${fix}.`;
    return refuse("invalid_request", detail, [{ pointer, expected, found: name, fix }]);
  }
  return null;
}

/** Credentials, a path and a query can be secrets. */
function shownUrl(url: string): string {
  return URL.canParse(url) && new URL(url).origin !== "null"
    ? JSON.stringify(new URL(url).origin)
    : "a text of another form";
}
