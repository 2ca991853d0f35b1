import { DEFAULT_NAMESPACE } from "@svc/contract/execute-request";
import type { Explanation } from "@svc/contract/policy-explanation";
import type { CallToSimulate } from "@svc/contract/policy-simulation";
import type { GovernedCall } from "@svc/engine/evaluation";
import type { ActiveSwitch, SwitchTarget } from "@svc/policy-analysis/simulation-exchange";

/** Active kill switches, in the order in which a gateway checks them: the broadest first. */
export class SwitchSnapshot {
  readonly #accountWide: ActiveSwitch | null;
  readonly #targeted: ReadonlyMap<string, ActiveSwitch>;

  constructor(switches: readonly ActiveSwitch[]) {
    this.#accountWide = switches.find(({ account_wide }) => account_wide) ?? null;
    const targeted = switches.filter(({ account_wide }) => !account_wide);
    this.#targeted = new Map(targeted.map((one) => [`${one.scope} ${one.target_id ?? ""}`, one]));
  }

  check(
    call: Pick<GovernedCall, "namespace" | "agentId" | "sessionId" | "tool">,
  ): Explanation["kill_switches"] {
    const names = targetsOfCall(call).map(({ scope, id }) => `${scope} ${id}`);
    const found = this.#accountWide ?? names.map((name) => this.#targeted.get(name)).find(isSwitch) ?? null;
    const checked = ["account", ...names];
    if (found === null) return { checked, matched: null };
    const { kill_switch_id, scope, target_id, account_wide, reason } = found;
    return { checked, matched: { kill_switch_id, scope, target_id, account_wide, reason } };
  }
}

/** Everything that a kill switch can name in some calls, each once. */
export function targetsOf(calls: readonly CallToSimulate[]): readonly SwitchTarget[] {
  const all = calls.flatMap(({ request: { agent_id, session_id, namespace, tool } }) =>
    targetsOfCall({
      agentId: agent_id,
      sessionId: session_id,
      namespace: namespace ?? DEFAULT_NAMESPACE,
      tool,
    }),
  );
  return [...new Map(all.map((target) => [`${target.scope} ${target.id}`, target])).values()];
}

function targetsOfCall({
  namespace,
  agentId,
  sessionId,
  tool,
}: Pick<GovernedCall, "namespace" | "agentId" | "sessionId" | "tool">): readonly SwitchTarget[] {
  return [
    { scope: "namespace", id: namespace },
    { scope: "agent", id: agentId },
    ...(sessionId === null ? [] : [{ scope: "session", id: sessionId } as const]),
    { scope: "tool", id: tool },
  ];
}

function isSwitch(found: ActiveSwitch | undefined): found is ActiveSwitch {
  return found !== undefined;
}
