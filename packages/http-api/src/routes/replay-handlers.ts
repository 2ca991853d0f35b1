import type { replayRoutes } from "@svc/api/replay-routes";
import type { AuditIndex } from "@svc/audit-index/audit-index";
import { endReplay } from "@svc/control-plane/end-replay";
import { getReplay } from "@svc/control-plane/get-replay";
import { listReplays } from "@svc/control-plane/list-replays";
import { proposePolicy } from "@svc/control-plane/propose-policy";
import { startReplay } from "@svc/control-plane/start-replay";
import type { Handlers } from "./handler.ts";
import { found, listed, pageOf, written } from "./reply-found.ts";

export interface ReplayHandlersParts {
  readonly auditIndex: Pick<AuditIndex, "search">;
}

export function replayHandlers({ auditIndex }: ReplayHandlersParts): Handlers<typeof replayRoutes> {
  return {
    startReplay: async ({ params: { policy_id: policyId }, body: request }, { ports, principal }) => {
      const outcome = await startReplay(ports, principal, { policyId, request });
      if (outcome.kind === "problem") return outcome;
      const headers = { location: `/api/v1/replays/${outcome.value.id}` };
      return { kind: "json", status: 202, body: outcome.value, headers };
    },
    proposePolicy: async ({ body }, { ports, principal }) =>
      written(await proposePolicy({ ...ports, auditIndex }, principal, body)),
    listReplays: async ({ query }, { ports, principal }) =>
      listed("replays", await listReplays(ports, principal, pageOf(query))),
    getReplay: async ({ params }, { ports, principal }) =>
      found(await getReplay(ports, principal, params.replay_id)),
    endReplay: async ({ params }, { ports, principal }) =>
      found(await endReplay(ports, principal, params.replay_id)),
  };
}
