import { agentActivityRoutes } from "@svc/api/agent-activity-routes";
import { agentRoutes } from "@svc/api/agent-routes";
import { alertRoutes } from "@svc/api/alert-routes";
import { approvalRoutes } from "@svc/api/approval-routes";
import { gatewayListRoutes } from "@svc/api/gateway-list-routes";
import { killSwitchRoutes } from "@svc/api/kill-switch-routes";
import { operationalRoutes } from "@svc/api/operational-routes";
import { policyRoutes } from "@svc/api/policy-routes";
import type { JsonAnswerOf } from "@svc/api/route";
import { MAX_PAGE_SIZE } from "@svc/contract/limits";
import type { ControlClient } from "../connection/control-client.ts";
import { CommandFailure, EXIT_CODES, type ExitCode } from "../frame/exit-code.ts";
import { neverSeen } from "../kill/switch-facts.ts";
import {
  type RecentAnomalies,
  readAnomalies,
  readDecisions,
  readSignedRows,
  type SignedRows,
} from "./read-decisions.ts";
import { readTroubledWebhooks, type TroubledWebhooks } from "./read-webhooks.ts";

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
    FirstPage<
      // True: the audit log has no call of its target. False also where that is not known.
      Body<typeof killSwitchRoutes.listKillSwitches>["kill_switches"][number] & {
        readonly never_seen: boolean;
      }
    >
  >;
  /** Each denies every call that it governs. */
  readonly disabled_policies: Part<FirstPage<Body<typeof policyRoutes.listPolicies>["policies"][number]>>;
  /** Those above INFO. */
  readonly agents: Part<FirstPage<Body<typeof agentRoutes.listAgents>["agents"][number]>>;
  /** Those with most calls in the last minutes. */
  readonly busiest: Part<Body<typeof agentActivityRoutes.listBusyAgents>>;
  /** Of the last hour. */
  readonly anomalies: Part<RecentAnomalies>;
  /** Those that nobody has acknowledged. */
  readonly alerts: Part<FirstPage<Body<typeof alertRoutes.listAlerts>["alerts"][number]>>;
  /** Those that get nothing, or not everything. */
  readonly webhooks: Part<TroubledWebhooks>;
  readonly approvals: Part<FirstPage<Body<typeof approvalRoutes.listApprovals>["approvals"][number]>>;
  readonly decisions: Part<Awaited<ReturnType<typeof readDecisions>>>;
  readonly signed: Part<SignedRows>;
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
  const disabled = { query: { enabled: "false", limit } };
  const raised = { query: { severity: "WARNING,CRITICAL,EMERGENCY", limit } };
  const busiest = { query: { limit: String(BUSIEST) } };
  const open = { query: { status: "open", limit } };
  const pending = { query: { status: "pending", limit } };
  return allOf({
    server: part(bodyOf(client.ask(operationalRoutes.getReadiness))),
    gateways: part(bodyOf(client.ask(gatewayListRoutes.listGateways)).then(({ gateways }) => gateways)),
    kill_switches: part(readSwitches(client)),
    disabled_policies: part(
      firstPage(client.ask(policyRoutes.listPolicies, disabled), (body) => body.policies),
    ),
    agents: part(firstPage(client.ask(agentRoutes.listAgents, raised), (body) => body.agents)),
    busiest: part(bodyOf(client.ask(agentActivityRoutes.listBusyAgents, busiest))),
    anomalies: part(readAnomalies(client, Date.now())),
    alerts: part(firstPage(client.ask(alertRoutes.listAlerts, open), (body) => body.alerts)),
    webhooks: part(readTroubledWebhooks(client)),
    approvals: part(firstPage(client.ask(approvalRoutes.listApprovals, pending), (body) => body.approvals)),
    decisions: part(readDecisions(client)),
    signed: part(readSignedRows(client, Date.now())),
  });
}

async function readSwitches(client: ControlClient) {
  const active = { query: { status: "active", limit } };
  const page = await firstPage(
    client.ask(killSwitchRoutes.listKillSwitches, active),
    (body) => body.kill_switches,
  );
  const unseen = await neverSeen(client, page.items);
  return { ...page, items: page.items.map((one) => ({ ...one, never_seen: unseen.has(one) })) };
}

type Parts = { readonly [Name in keyof Status]: Promise<Status[Name]> };

async function allOf(parts: Parts): Promise<Status> {
  await Promise.all(Object.values(parts));
  return {
    server: await parts.server,
    gateways: await parts.gateways,
    kill_switches: await parts.kill_switches,
    disabled_policies: await parts.disabled_policies,
    agents: await parts.agents,
    busiest: await parts.busiest,
    anomalies: await parts.anomalies,
    alerts: await parts.alerts,
    webhooks: await parts.webhooks,
    approvals: await parts.approvals,
    decisions: await parts.decisions,
    signed: await parts.signed,
  };
}

async function bodyOf<Answer>(asked: Promise<{ readonly body: Answer }>): Promise<Answer> {
  return (await asked).body;
}

async function firstPage<Page extends { readonly next_cursor: string | null }, Item>(
  asked: Promise<{ readonly body: Page }>,
  itemsOf: (page: Page) => readonly Item[],
): Promise<FirstPage<Item>> {
  const { body } = await asked;
  return { items: itemsOf(body), is_all: body.next_cursor === null };
}

/** Everything that may be unknown, the server itself first. */
export function partsOf(status: Status): readonly Part<unknown>[] {
  const { server, ...others } = status;
  return [server, ...Object.values(others)];
}

async function part<Value>(reading: Promise<Value>): Promise<Part<Value>> {
  try {
    return { known: true, value: await reading };
  } catch (fault) {
    if (fault instanceof CommandFailure)
      return { known: false, why: fault.message, exitCode: fault.exitCode };
    // The signal of the client ended the question.
    if (fault instanceof Error && fault.name === "TimeoutError")
      return { known: false, why: "no answer came in time", exitCode: EXIT_CODES.unreachable };
    throw fault;
  }
}
