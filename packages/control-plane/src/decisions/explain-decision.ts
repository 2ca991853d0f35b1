import type { DecisionRow } from "@svc/contract/audit-row";
import { formatDecisionId, parseDecisionId } from "@svc/contract/decision-id";
import { CONTROL_LEASE_MS } from "@svc/contract/limits";
import type { Principal } from "@svc/contract/principal";
import type { DocumentText } from "@svc/policy-analysis/check-document";
import type { ExplanationReply } from "@svc/policy-analysis/simulation-exchange";
import type { DecisionEvidence } from "@svc/store/ports/recorded-call-store";
import { parseJson } from "@svc/text/parse-json";
import { askThread, callStore, NOT_READ, readRecord } from "../call-store.ts";
import { writtenText } from "../policies/known-guardrails.ts";
import type { ControlPlanePorts, ExplanationResult } from "../ports.ts";
import { type Outcome, type Refusal, refuse } from "../refusal.ts";

/**
 * How far before and after a decision a switch may have changed that its gateway had or had not applied, in
 * milliseconds: the lease, and as much again for the clocks of two hosts.
 */
const SWITCH_MARGIN_MS = 2 * CONTROL_LEASE_MS;

type ExplanationPorts = Pick<
  ControlPlanePorts,
  "log" | "policies" | "recordedCalls" | "simulations" | "digestKey" | "noteExplanation"
>;

/**
 * Makes a recorded decision again, from its row and the policy version that the row names. A difference is a
 * defect: it is in the answer, counted and logged.
 * @returns the answer as JSON text
 */
export async function explainDecision(
  ports: ExplanationPorts,
  principal: Principal,
  id: string,
): Promise<Outcome<string>> {
  const position = parseDecisionId(id);
  if (position === null) return unknown(id);
  const query = { org: principal.org, position, marginMs: SWITCH_MARGIN_MS };
  const evidence = await readRecord(
    ports,
    () => ports.recordedCalls.evidence(query),
    () => unknown(id),
  );
  if (evidence.kind === "problem") return evidence;
  const policy = await policyOf(ports, principal, evidence.value);
  if (policy.kind === "problem") return policy;
  const { simulations, digestKey } = ports;
  const known = { ...evidence.value, policy: policy.value, decisionId: formatDecisionId(position) };
  const reply = await askThread(ports, NOT_EXPLAINED, () => simulations.explain({ ...known, digestKey }));
  if (reply.kind === "problem") return reply;
  note(ports, id, reply.value);
  return { kind: "ok", value: reply.value.text };
}

function unknown(id: string): Refusal {
  return refuse("not_found", `This organization has no decision ${id}.`);
}

/** The version that the row names; null when it names none, or the store does not have it. */
async function policyOf(
  ports: ExplanationPorts,
  { org }: Principal,
  { row }: DecisionEvidence,
): Promise<Outcome<DocumentText | null>> {
  const { policy_id: id, policy_version: version } = parseJson(row) as DecisionRow;
  if (id === null || version === null) return { kind: "ok", value: null };
  const found = await callStore(ports, NOT_READ, () => ports.policies.policyVersion(org, id, version));
  if (found.kind === "problem") return found;
  if (found.value === null) return { kind: "ok", value: null };
  return { kind: "ok", value: writtenText(found.value) };
}

const NOT_EXPLAINED = {
  fault: "a decision could not be explained",
  consequence:
    "The decision could not be explained: making it again needs too much work, or too many explanations " +
    "and simulations wait. Try again later.",
};

function note(
  { log, noteExplanation }: ExplanationPorts,
  id: string,
  { agrees, doubts }: ExplanationReply,
): void {
  const result = resultOf(agrees);
  noteExplanation(result);
  if (result === "differs")
    log.error({ decision_id: id, doubts }, "a recorded decision cannot be reached again");
}

function resultOf(agrees: boolean | null): ExplanationResult {
  if (agrees === null) return "undecided";
  return agrees ? "agrees" : "differs";
}
