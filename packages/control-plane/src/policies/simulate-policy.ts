import type { Principal } from "@svc/contract/principal";
import type {
  SimulationNeeds,
  SimulationOrder,
  SimulationReply,
} from "@svc/policy-analysis/simulation-exchange";
import { askThread, callStore, NOT_READ } from "../call-store.ts";
import type { ControlPlanePorts } from "../ports.ts";
import type { Outcome } from "../refusal.ts";
import { getPolicy } from "./get-policy.ts";
import { getPolicyVersion } from "./get-policy-version.ts";
import { knownGuardrails, writtenText } from "./known-guardrails.ts";
import { refuseCheck } from "./read-document.ts";

type SimulationPorts = Pick<
  ControlPlanePorts,
  "clock" | "log" | "policies" | "guardrails" | "killSwitches" | "simulations"
>;

/**
 * Tries calls under a policy: the document of the request, or a stored version. Writes no row and charges
 * nothing. The request is read and the calls are evaluated beside the calls that are served.
 * @returns the answer as JSON text
 */
export async function simulatePolicy(
  ports: SimulationPorts,
  principal: Principal,
  body: Uint8Array,
): Promise<Outcome<string>> {
  const asked = await askThread(ports, NOT_SIMULATED, () => ports.simulations.read(body));
  if (asked.kind === "problem") return asked;
  const read = asked.value;
  if (read.kind !== "needs") return answerOf(read);
  const stored = read.policy === null ? null : await storedText(ports, principal, read.policy);
  if (stored?.kind === "problem") return stored;
  const guardrails = read.guardrails ? await knownGuardrails(ports, principal.org) : null;
  if (guardrails?.kind === "problem") return guardrails;
  const switches = await callStore(ports, NOT_READ, () =>
    ports.killSwitches.activeKillSwitches(principal.org, read.targets),
  );
  if (switches.kind === "problem") return switches;
  const timeMs = ports.clock.now().getTime();
  const order = {
    body,
    stored: stored?.value ?? null,
    guardrails: guardrails?.value,
    timeMs,
    switches: switches.value,
  };
  const reply = await askThread(ports, NOT_SIMULATED, () => ports.simulations.simulate(order));
  return reply.kind === "problem" ? reply : answerOf(reply.value);
}

type StoredText = NonNullable<SimulationOrder["stored"]>;

async function storedText(
  ports: SimulationPorts,
  principal: Principal,
  { id, version }: NonNullable<SimulationNeeds["policy"]>,
): Promise<Outcome<StoredText>> {
  const found =
    version === null
      ? await getPolicy(ports, principal, id)
      : await getPolicyVersion(ports, principal, { id, version });
  if (found.kind === "problem") return found;
  return { kind: "ok", value: { ...writtenText(found.value), version: found.value.record.version } };
}

const NOT_SIMULATED = {
  fault: "calls could not be simulated",
  consequence:
    "The calls could not be tried: a single call needs too much work, or too many simulations wait. " +
    "Send fewer calls, or try again.",
};

function answerOf(reply: SimulationReply): Outcome<string> {
  switch (reply.kind) {
    case "simulated":
      return { kind: "ok", value: reply.text };
    case "problem":
      return reply;
    case "document_refused":
      return refuseCheck(reply.document, reply.check);
  }
}
