import type { legalHoldRoutes } from "@svc/api/legal-hold-routes";
import { getLegalHold } from "@svc/control-plane/get-legal-hold";
import { liftLegalHold } from "@svc/control-plane/lift-legal-hold";
import { listLegalHolds } from "@svc/control-plane/list-legal-holds";
import { placeLegalHold } from "@svc/control-plane/place-legal-hold";
import type { Handlers } from "./handler.ts";
import { created, found, listed, pageOf } from "./reply-found.ts";

export const legalHoldHandlers: Handlers<typeof legalHoldRoutes> = {
  placeLegalHold: async ({ body }, { ports, principal }) =>
    created("legal-holds", await placeLegalHold(ports, principal, body)),
  listLegalHolds: async ({ query }, { ports, principal }) =>
    listed("legal_holds", await listLegalHolds(ports, principal, pageOf(query))),
  getLegalHold: async ({ params }, { ports, principal }) =>
    found(await getLegalHold(ports, principal, params.legal_hold_id)),
  liftLegalHold: async ({ params }, { ports, principal }) =>
    found(await liftLegalHold(ports, principal, params.legal_hold_id)),
};
