import type { replayRoutes } from "@svc/api/replay-routes";
import type { AuditIndex } from "@svc/audit-index/audit-index";
import { endReplay } from "@svc/control-plane/end-replay";
import { getReplay } from "@svc/control-plane/get-replay";
import { listReplays } from "@svc/control-plane/list-replays";
import { proposePolicy } from "@svc/control-plane/propose-policy";
import { startReplay } from "@svc/control-plane/start-replay";
import type { Handlers } from "./handler.ts";

export interface ReplayHandlersParts {
  readonly auditIndex: Pick<AuditIndex, "search">;
}

export function replayHandlers({ auditIndex }: ReplayHandlersParts): Handlers<typeof replayRoutes> {
  return {
    startReplay: async ({ params: { policy_id: policyId }, body: request }, { ports, principal }) => {
      const outcome = await startReplay(ports, principal, { policyId, request });
      if (outcome.kind === "problem") return outcome;
      const headers = { location: `/api/v1/replays/${outcome.record.id}` };
      return { kind: "json", status: 202, body: outcome.record, headers };
    },
    proposePolicy: async ({ body }, { ports, principal }) => {
      const outcome = await proposePolicy({ ...ports, auditIndex }, principal, body);
      if (outcome.kind === "problem") return outcome;
      return { kind: "text", status: 200, mediaType: "application/json", text: outcome.text };
    },
    listReplays: async ({ query: { limit, cursor } }, { ports, principal }) => {
      const outcome = await listReplays(ports, principal, { limit, after: cursor ?? null });
      if (outcome.kind === "problem") return outcome;
      const { items, next } = outcome.page;
      return { kind: "json", status: 200, body: { replays: items, next_cursor: next } };
    },
    getReplay: async ({ params }, { ports, principal }) => {
      const outcome = await getReplay(ports, principal, params.replay_id);
      return outcome.kind === "problem" ? outcome : { kind: "json", status: 200, body: outcome.record };
    },
    endReplay: async ({ params }, { ports, principal }) => {
      const outcome = await endReplay(ports, principal, params.replay_id);
      return outcome.kind === "problem" ? outcome : { kind: "json", status: 200, body: outcome.record };
    },
  };
}
