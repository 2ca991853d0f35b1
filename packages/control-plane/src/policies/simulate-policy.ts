import { faultFields } from "@svc/contract/fault-fields";
import type { Principal } from "@svc/contract/principal";
import type {
  SimulationNeeds,
  SimulationOrder,
  SimulationReply,
} from "@svc/policy-analysis/simulation-exchange";
import { callStore, NOT_READ } from "../call-store.ts";
import type { ControlPlanePorts } from "../ports.ts";
import { type Outcome, type Refusal, refuse } from "../refusal.ts";
import { getPolicy } from "./get-policy.ts";
import { getPolicyVersion } from "./get-policy-version.ts";
import { refuseCheck } from "./read-document.ts";

/** The answer as JSON text. */
export interface SimulatedCalls {
  readonly kind: "simulated";
  readonly text: string;
}

type SimulationPorts = Pick<ControlPlanePorts, "clock" | "log" | "policies" | "killSwitches" | "simulations">;

/**
 * Tries calls under a policy: the document of the request, or a stored version. Writes no row and charges
 * nothing. The request is read and the calls are evaluated beside the calls that are served.
 */
export async function simulatePolicy(
  ports: SimulationPorts,
  principal: Principal,
  body: Uint8Array,
): Promise<SimulatedCalls | Refusal> {
  const read = await ask(ports, () => ports.simulations.read(body));
  if (read.kind !== "needs") return answerOf(read);
  const stored = read.policy === null ? null : await storedText(ports, principal, read.policy);
  if (stored?.kind === "problem") return stored;
  const switches = await callStore(ports, NOT_READ, () =>
    ports.killSwitches.activeKillSwitches(principal.org, read.targets),
  );
  if (switches.kind === "problem") return switches;
  const timeMs = ports.clock.now().getTime();
  const order = { body, stored: stored?.value ?? null, timeMs, switches: switches.value };
  return answerOf(await ask(ports, () => ports.simulations.simulate(order)));
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
  const { source, mediaType, record } = found.value;
  return { kind: "ok", value: { source, mediaType, version: record.version } };
}

const NOT_SIMULATED =
  "The calls could not be tried: a single call needs too much work, or too many simulations wait. " +
  "Send fewer calls, or try again.";

async function ask<Reply>(
  { log }: SimulationPorts,
  question: () => Promise<Reply>,
): Promise<Reply | (Refusal & { readonly kind: "problem" })> {
  try {
    return await question();
  } catch (error) {
    log.error(faultFields(error), "calls could not be simulated");
    return refuse("compiler_unavailable", NOT_SIMULATED);
  }
}

function answerOf(reply: SimulationReply): SimulatedCalls | Refusal {
  switch (reply.kind) {
    case "simulated":
    case "problem":
      return reply;
    case "document_refused":
      return refuseCheck(reply.document, reply.check);
  }
}
