import type { explanationRoutes } from "@svc/api/explanation-routes";
import { explainDecision } from "@svc/control-plane/explain-decision";
import type { Handlers } from "./handler.ts";
import { written } from "./reply-found.ts";

export const explanationHandlers: Handlers<typeof explanationRoutes> = {
  explainDecision: async ({ params }, { ports, principal }) =>
    written(await explainDecision(ports, principal, params.decision_id)),
};
