import type { policyStateRoutes } from "@svc/api/policy-state-routes";
import { isEnforced } from "@svc/control-plane/await-acknowledgements";
import { labelPolicy } from "@svc/control-plane/label-policy";
import { movePolicy, type PolicyMove } from "@svc/control-plane/move-policy";
import type { Handlers, RequestContext } from "./handler.ts";
import { etag } from "./policy-replies.ts";

export const policyStateHandlers: Handlers<typeof policyStateRoutes> = {
  patchPolicy: async ({ params, query, body }, { ports, principal }) => {
    const why = body.why ?? query.why ?? null;
    const outcome = await labelPolicy(ports, principal, { id: params.policy_id, labels: body.labels, why });
    if (outcome.kind === "problem") return outcome;
    return { kind: "json", status: 200, body: outcome.value, headers: etag(outcome.value.version) };
  },
  enablePolicy: async (input, context) => move("enabled", input, context),
  disablePolicy: async (input, context) => move("disabled", input, context),
  archivePolicy: async (input, context) => move("archived", input, context),
};

interface MoveInput {
  readonly params: { readonly policy_id: string };
  readonly query: { readonly why?: string | undefined };
  readonly body: { readonly why: string | null };
}

async function move(
  to: PolicyMove["to"],
  { params, query, body }: MoveInput,
  { ports, principal }: RequestContext,
) {
  const why = body.why ?? query.why ?? null;
  const outcome = await movePolicy(ports, principal, { id: params.policy_id, to, why });
  if (outcome.kind === "problem") return outcome;
  const { record, acknowledgements } = outcome;
  const status = isEnforced(acknowledgements.gateways) ? (200 as const) : (202 as const);
  return { kind: "json" as const, status, body: { ...record, ...acknowledgements } };
}
