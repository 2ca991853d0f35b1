import type { guardrailRoutes } from "@svc/api/guardrail-routes";
import { isEnforced } from "@svc/control-plane/await-acknowledgements";
import { type ChangedGuardrail, changeGuardrail } from "@svc/control-plane/change-guardrail";
import { createGuardrail } from "@svc/control-plane/create-guardrail";
import { getGuardrail, listGuardrails, testGuardrail } from "@svc/control-plane/get-guardrail";
import { removeGuardrail } from "@svc/control-plane/remove-guardrail";
import type { Handlers } from "./handler.ts";
import { etag } from "./policy-replies.ts";
import { found, listed, pageOf } from "./reply-found.ts";

export const guardrailHandlers: Handlers<typeof guardrailRoutes> = {
  createGuardrail: async ({ query, body: creation }, { ports, principal }) => {
    const outcome = await createGuardrail(ports, principal, { creation, dryRun: query.dry_run });
    if (outcome.kind === "problem") return outcome;
    const body = bodyOf(outcome.value);
    if (outcome.value.dryRun) return { kind: "json", status: 200, body };
    const location = `/api/v1/guardrails/${encodeURIComponent(body.id)}`;
    return { kind: "json", status: 201, body, headers: { ...etag(body.version), location } };
  },
  listGuardrails: async ({ query }, { ports, principal }) =>
    listed("guardrails", await listGuardrails(ports, principal, pageOf(query))),
  getGuardrail: async ({ params, query }, { ports, principal }) => {
    const asked = { id: params.guardrail_id, version: query.version ?? null };
    const outcome = await getGuardrail(ports, principal, asked);
    if (outcome.kind === "problem") return outcome;
    return { kind: "json", status: 200, body: outcome.value, headers: etag(outcome.value.version) };
  },
  putGuardrail: async ({ params, query, body: update, ifMatch }, { ports, principal }) => {
    const named = { id: params.guardrail_id, expectedVersion: ifMatch };
    const change = { ...named, update, dryRun: query.dry_run };
    const outcome = await changeGuardrail(ports, principal, change);
    if (outcome.kind === "problem") return outcome;
    const { acknowledgements, record } = outcome.value;
    const isPending = acknowledgements !== null && !isEnforced(acknowledgements.gateways);
    const status = isPending ? 202 : 200;
    return { kind: "json", status, body: bodyOf(outcome.value), headers: etag(record.version) };
  },
  deleteGuardrail: async ({ params, query, ifMatch }, { ports, principal }) => {
    const named = { id: params.guardrail_id, expectedVersion: ifMatch, why: query.why ?? null };
    const outcome = await removeGuardrail(ports, principal, named);
    if (outcome.kind === "problem") return outcome;
    return { kind: "json", status: 200, body: outcome.value, headers: etag(outcome.value.version) };
  },
  testGuardrail: async ({ params, body: { text } }, { ports, principal }) =>
    found(await testGuardrail(ports, principal, { id: params.guardrail_id, text })),
};

function bodyOf({ record, dryRun, warnings, policies, acknowledgements }: ChangedGuardrail) {
  return { warnings, ...record, dry_run: dryRun, policies, ...acknowledgements };
}
