import type { legalHoldRoutes } from "@svc/api/legal-hold-routes";
import { getLegalHold } from "@svc/control-plane/get-legal-hold";
import { liftLegalHold } from "@svc/control-plane/lift-legal-hold";
import { listLegalHolds } from "@svc/control-plane/list-legal-holds";
import { placeLegalHold } from "@svc/control-plane/place-legal-hold";
import type { Handlers } from "./handler.ts";

export const legalHoldHandlers: Handlers<typeof legalHoldRoutes> = {
  placeLegalHold: async ({ body }, { ports, principal }) => {
    const outcome = await placeLegalHold(ports, principal, body);
    if (outcome.kind === "problem") return outcome;
    const { record } = outcome;
    const headers = { location: `/api/v1/legal-holds/${encodeURIComponent(record.id)}` };
    return { kind: "json", status: 201, body: record, headers };
  },
  listLegalHolds: async ({ query: { limit, cursor } }, { ports, principal }) => {
    const outcome = await listLegalHolds(ports, principal, { limit, after: cursor ?? null });
    if (outcome.kind === "problem") return outcome;
    const { items, next } = outcome.page;
    return { kind: "json", status: 200, body: { legal_holds: items, next_cursor: next } };
  },
  getLegalHold: async ({ params }, { ports, principal }) => {
    const outcome = await getLegalHold(ports, principal, params.legal_hold_id);
    return outcome.kind === "problem" ? outcome : { kind: "json", status: 200, body: outcome.record };
  },
  liftLegalHold: async ({ params }, { ports, principal }) => {
    const outcome = await liftLegalHold(ports, principal, params.legal_hold_id);
    return outcome.kind === "problem" ? outcome : { kind: "json", status: 200, body: outcome.record };
  },
};
