import { combine } from "@svc/engine/combine";
import type { CompiledPolicy } from "@svc/engine/compiled-policy";
import type { Evaluation, GovernedCall, ModuleTrace } from "@svc/engine/evaluation";
import { RegoUnavailable } from "@svc/engine/evaluator-factory";
import { evaluatorInput } from "@svc/engine/evaluator-input";

/** What the evaluators beside the rules say of a call; null when the policy has none. */
export async function askModules(
  { evaluators }: CompiledPolicy,
  call: GovernedCall,
): Promise<Evaluation | null> {
  if (evaluators.length === 0) return null;
  const input = evaluatorInput(call);
  return combine(await Promise.all(evaluators.map((one) => one.evaluate(input))));
}

/**
 * How the module of the policy came to what it said of a call; null when there is none, or it failed.
 * @param said what `askModules` answered to the same call
 */
export async function traceModules(
  { evaluators: [module] }: CompiledPolicy,
  call: GovernedCall,
  said: Evaluation | null,
): Promise<ModuleTrace | null> {
  if (module === undefined || said?.rego?.kind !== "messages") return null;
  return module.explain(evaluatorInput(call));
}

/**
 * The evaluation of the whole policy, as a gateway makes it.
 * @param own what its lists and rules say
 * @param said what `askModules` answered to the same call
 * @throws RegoUnavailable where a module was not asked: the rules alone say less than the policy
 */
export function withModules(
  { evaluators }: CompiledPolicy,
  own: Evaluation,
  said: Evaluation | null,
): Evaluation {
  if (evaluators.length === 0) return own;
  if (said === null) throw new RegoUnavailable();
  return combine([own, said]);
}
