import type { legalHoldRoutes } from "@svc/api/legal-hold-routes";
import { getLegalHold, liftLegalHold, listLegalHolds, placeLegalHold } from "@svc/control-plane/legal-holds";
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
