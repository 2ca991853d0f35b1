import type { ProbeResult, ProbeTarget } from "@svc/control-plane/propagation";
import type { Gateway } from "@svc/gateway/gateway";
import { parseJson } from "@svc/text/parse-json";

/** What one process asks of all gateways. The text of a question is its JSON. */
export type AskedOfGateways =
  /** Answered when the policies that the change of this revision touches are in force. */
  | { readonly kind: "policies"; readonly revision: number }
  /** Answered when the latest version of this policy is in force, as of the time of the question. */
  | { readonly kind: "policy"; readonly org: string; readonly id: string }
  /** Answered when this revision is enforced; without one, when everything committed before it is. */
  | { readonly kind: "effect"; readonly target: ProbeTarget; readonly revision?: number };

/** What a gateway knows of the calls that a switch stops. */
export type KnownEffect = Omit<ProbeResult, "gateways">;

type AskedGateway = Pick<
  Gateway,
  "catchUp" | "catchUpTo" | "catchUpPolicies" | "catchUpPolicy" | "affected" | "sighting"
>;

/** The question whom a committed switch affects, which gateways answer before it is asked. */
export function effectQuestionId(killSwitchId: string, revision: number): string {
  return `effect_${String(revision)}_${killSwitchId}`;
}

export function knownEffect(
  gateway: Pick<Gateway, "affected" | "sighting">,
  target: ProbeTarget,
): KnownEffect {
  return { affected: gateway.affected(target), sighting: gateway.sighting(target) };
}

/**
 * The answer of a gateway. Null: it cannot do what was asked of it, so it stays silent, as it does for a
 * question of a later version. @throws when control state cannot be read.
 */
export async function answerQuestion(gateway: AskedGateway, text: string): Promise<string | null> {
  const asked = parseJson(text) as AskedOfGateways;
  switch (asked.kind) {
    case "policies":
      return (await gateway.catchUpPolicies(asked.revision)) >= asked.revision ? "{}" : null;
    case "policy":
      await gateway.catchUpPolicy(asked.org, asked.id);
      return "{}";
    case "effect": {
      const { target, revision } = asked;
      await (revision === undefined ? gateway.catchUp() : gateway.catchUpTo(revision));
      return JSON.stringify(knownEffect(gateway, target));
    }
    default:
      return null;
  }
}

/** What all gateways together know. */
export function mergeEffects(known: readonly KnownEffect[]): KnownEffect {
  const all = (names: (effect: KnownEffect) => readonly string[]) =>
    [...new Set(known.flatMap(names))].toSorted();
  const sightings = known.flatMap(({ sighting }) => sighting ?? []);
  const since = sightings
    .map((sighting) => sighting.since)
    .toSorted()
    .at(-1);
  const isSeen = sightings.some(({ seen }) => seen === true);
  const isKnown = sightings.every(({ seen }) => seen !== null);
  const nearest = sightings.flatMap((sighting) => sighting.nearest ?? []).at(0) ?? null;
  return {
    affected: {
      agents: all(({ affected }) => affected.agents),
      sessions: all(({ affected }) => affected.sessions),
    },
    sighting:
      since === undefined
        ? null
        : { seen: isSeen || (isKnown ? false : null), nearest: isSeen ? null : nearest, since },
  };
}
