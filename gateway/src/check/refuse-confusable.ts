import type { CompiledPolicy } from "@svc/engine/compiled-policy";
import { isAscii } from "@svc/engine/skeleton";
import { codePoint } from "@svc/text/code-point";
import type { CallFacts } from "../call-facts.ts";
import { denyRuling, type Ruling } from "../evaluate/ruling.ts";
import type { ControlState } from "./control-state.ts";
import type { NameLooks } from "./name-looks.ts";

type KnownNames = Pick<ControlState, "switchLookedLike" | "registeredLooks" | "boundLooks">;

/**
 * Denies a call that names something which only looks like what a kill switch, a registration or a binding
 * names (Unicode TS 39). Otherwise a letter of another script would leave the switch and the policy behind.
 * This applies in every governance mode. No name is a look-alike of itself: an agent or a namespace that is
 * registered or bound was set up by an operator, and only a switch makes it one.
 */
export function refuseConfusable(state: KnownNames, call: CallFacts): Ruling | null {
  const switched = state.switchLookedLike(call);
  if (switched !== null) {
    const { scope, target_id: target, kill_switch_id: id } = switched;
    return confusable(namesOf(call)[scope] ?? "", `${target ?? ""}, which the kill switch ${id} stops`);
  }
  const [registered, bound] = [state.registeredLooks(call.org), state.boundLooks(call.org)];
  if (call.namesArePlain && isPlain(registered) && isPlain(bound)) return null;
  const agent = lookedLike(call.agentId, registered?.agent, bound?.agent);
  if (agent !== null) return confusable(call.agentId, `the agent ${agent}`);
  const namespace = lookedLike(call.namespace, registered?.namespace, bound?.namespace);
  return namespace === null ? null : confusable(call.namespace, `the namespace ${namespace}`);
}

/** The same for what the policy that governs the call names. */
export function refuseConfusableWithPolicy(policy: CompiledPolicy, call: CallFacts): Ruling | null {
  if (call.namesArePlain && policy.names.isPlain) return null;
  const { agentId, sessionId, namespace, tool } = call;
  const confusion = policy.names.confusion({ agent_id: agentId, session_id: sessionId, namespace, tool });
  return confusion === null
    ? null
    : confusable(confusion.name, `${confusion.other}, which the policy ${policy.id} names`);
}

function namesOf({
  namespace,
  agentId,
  sessionId,
  tool,
}: CallFacts): Readonly<Record<string, string | null>> {
  return { namespace, agent: agentId, session: sessionId, tool };
}

function isPlain(looks: NameLooks | null): boolean {
  return looks === null || (looks.agent.isPlain && looks.namespace.isPlain);
}

function lookedLike(name: string, ...known: readonly (NameLooks["agent"] | undefined)[]): string | null {
  const other = known.map((looks) => looks?.find(name) ?? null).find((found) => found !== null) ?? null;
  return other === null || known.some((looks) => looks?.has(name) === true) ? null : other;
}

function confusable(name: string, other: string): Ruling {
  const foreign = Array.from(name).filter((character) => !isAscii(character));
  const shown = foreign.length === 0 ? "" : ` (it has ${foreign.slice(0, SHOWN).map(codePoint).join(", ")})`;
  return denyRuling(
    "confusable",
    `the name ${name}${shown} looks like ${other}, and is another name: write that name, or one that ` +
      "looks different",
  );
}

/** Most characters of a name that a reason lists, as count. */
const SHOWN = 8;
