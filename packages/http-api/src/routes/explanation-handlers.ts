import type { explanationRoutes } from "@svc/api/explanation-routes";
import { explainDecision } from "@svc/control-plane/explain-decision";
import type { Handlers } from "./handler.ts";

export const explanationHandlers: Handlers<typeof explanationRoutes> = {
  explainDecision: async ({ params: { decision_id: id } }, { ports, principal }) => {
    const outcome = await explainDecision(ports, principal, id);
    if (outcome.kind === "problem") return outcome;
    return { kind: "text", status: 200, mediaType: "application/json", text: outcome.text };
  },
};
