import type { quarantineRoutes } from "@svc/api/quarantine-routes";
import { dryRunQuarantine } from "@svc/control-plane/dry-run-quarantine";
import { liftQuarantine } from "@svc/control-plane/lift-quarantine";
import { quarantineAgent } from "@svc/control-plane/quarantine-agent";
import type { AgentHandlersParts } from "./agent-handlers.ts";
import type { Handlers } from "./handler.ts";
import { found } from "./reply-found.ts";

export function quarantineHandlers({ auditIndex }: AgentHandlersParts): Handlers<typeof quarantineRoutes> {
  return {
    quarantineAgent: async ({ params: { agent_id: id }, body: request }, { ports, principal }) => {
      const agentPorts = { ...ports, auditIndex };
      if (request.dry_run) {
        const tried = await dryRunQuarantine(agentPorts, principal, id);
        return tried.kind === "problem" ? tried : { kind: "json", status: 200, body: tried.value };
      }
      const outcome = await quarantineAgent(agentPorts, principal, { id, request });
      switch (outcome.kind) {
        case "quarantined":
          return { kind: "json", status: 201, body: outcome.answer };
        case "existing":
          return { kind: "json", status: 200, body: outcome.answer };
        case "problem":
          return outcome;
      }
    },
    liftQuarantine: async ({ params: { agent_id: id }, body: lift }, { ports, principal }) =>
      found(await liftQuarantine({ ...ports, auditIndex }, principal, { id, lift })),
  };
}
