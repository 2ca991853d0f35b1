import { agentActivityRoutes } from "@svc/api/agent-activity-routes";
import { agentRoutes } from "@svc/api/agent-routes";
import { approvalRoutes } from "@svc/api/approval-routes";
import { gatewayListRoutes } from "@svc/api/gateway-list-routes";
import { killSwitchRoutes } from "@svc/api/kill-switch-routes";
import { operationalRoutes } from "@svc/api/operational-routes";
import { policyRoutes } from "@svc/api/policy-routes";
import type { JsonAnswerOf } from "@svc/api/route";
import { MAX_PAGE_SIZE } from "@svc/contract/limits";
import type { ControlClient } from "../connection/control-client.ts";
import { CommandFailure, EXIT_CODES, type ExitCode } from "../frame/exit-code.ts";
import { readCheckpointAge } from "./read-checkpoint-age.ts";
import { readDecisions } from "./read-decisions.ts";

/** A part of the status, or why it is not known. */
export type Part<Value> =
  | { readonly known: true; readonly value: Value }
  | { readonly known: false; readonly why: string; readonly exitCode: ExitCode };

type Body<Definition extends Parameters<ControlClient["ask"]>[0]> = JsonAnswerOf<Definition>["body"];

/** What was read together. */
export interface Status {
  readonly server: Part<Body<typeof operationalRoutes.getReadiness>>;
  readonly gateways: Part<Body<typeof gatewayListRoutes.listGateways>["gateways"]>;
  readonly kill_switches: Part<
    FirstPage<Body<typeof killSwitchRoutes.listKillSwitches>["kill_switches"][number]>
  >;
  /** Each denies every call that it governs. */
  readonly disabled_policies: Part<FirstPage<Body<typeof policyRoutes.listPolicies>["policies"][number]>>;
  /** Those above INFO. */
  readonly agents: Part<FirstPage<Body<typeof agentRoutes.listAgents>["agents"][number]>>;
  /** Those with most calls in the last minutes. */
  readonly busiest: Part<Body<typeof agentActivityRoutes.listBusyAgents>>;
  readonly approvals: Part<FirstPage<Body<typeof approvalRoutes.listApprovals>["approvals"][number]>>;
  readonly decisions: Part<Awaited<ReturnType<typeof readDecisions>>>;
  readonly checkpoint: Part<Awaited<ReturnType<typeof readCheckpointAge>>>;
}

/** The first page of a list: the count is exact unless there is more. */
export interface FirstPage<Item> {
  readonly items: readonly Item[];
  readonly is_all: boolean;
}

const limit = String(MAX_PAGE_SIZE);

/** Busiest agents that the status shows, as count. */
const BUSIEST = 3;

/** Reads every part at once. A part that cannot be read keeps no other one from being shown. */
export async function readStatus(client: ControlClient): Promise<Status> {
  const [
    server,
    gateways,
    kill_switches,
    disabled_policies,
    agents,
    busiest,
    approvals,
    decisions,
    checkpoint,
  ] = await Promise.all([
    part(async () => (await client.ask(operationalRoutes.getReadiness)).body),
    part(async () => (await client.ask(gatewayListRoutes.listGateways)).body.gateways),
    part(async () => {
      const { body } = await client.ask(killSwitchRoutes.listKillSwitches, {
        query: { status: "active", limit },
      });
      return { items: body.kill_switches, is_all: body.next_cursor === null };
    }),
    part(async () => {
      const { body } = await client.ask(policyRoutes.listPolicies, { query: { enabled: "false", limit } });
      return { items: body.policies, is_all: body.next_cursor === null };
    }),
    part(async () => {
      const query = { severity: "WARNING,CRITICAL,EMERGENCY", limit };
      const { body } = await client.ask(agentRoutes.listAgents, { query });
      return { items: body.agents, is_all: body.next_cursor === null };
    }),
    part(async () => {
      const query = { limit: String(BUSIEST) };
      return (await client.ask(agentActivityRoutes.listBusyAgents, { query })).body;
    }),
    part(async () => {
      const { body } = await client.ask(approvalRoutes.listApprovals, {
        query: { status: "pending", limit },
      });
      return { items: body.approvals, is_all: body.next_cursor === null };
    }),
    part(() => readDecisions(client)),
    part(() => readCheckpointAge(client, Date.now())),
  ]);
  return {
    server,
    gateways,
    kill_switches,
    disabled_policies,
    agents,
    busiest,
    approvals,
    decisions,
    checkpoint,
  };
}

/** Everything that may be unknown, the server itself first. */
export function partsOf(status: Status): readonly Part<unknown>[] {
  const { server, ...others } = status;
  return [server, ...Object.values(others)];
}

async function part<Value>(read: () => Promise<Value>): Promise<Part<Value>> {
  try {
    return { known: true, value: await read() };
  } catch (fault) {
    if (fault instanceof CommandFailure)
      return { known: false, why: fault.message, exitCode: fault.exitCode };
    // The signal of the client ended the question.
    if (fault instanceof Error && fault.name === "TimeoutError")
      return { known: false, why: "no answer came in time", exitCode: EXIT_CODES.unreachable };
    throw fault;
  }
}
