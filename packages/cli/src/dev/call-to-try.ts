import { DEFAULT_NAMESPACE } from "@svc/contract/execute-request";
import { isName } from "@svc/contract/name";
import type { GovernedCall } from "@svc/engine/evaluation";
import { askModules, withModules } from "@svc/policy-analysis/ask-modules";
import { type CompiledFile, compilePolicyFile } from "../policy-files/compile-policy-file.ts";
import type { PolicyFile } from "../policy-files/read-policy-file.ts";

/** A call as the body of gateway/execute. */
export interface CallToTry {
  readonly agent_id: string;
  readonly session_id: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, never>>;
}

/** What stands for the star of a pattern, so that people see a name of a tool. */
const FILLINGS = ["read", "list", "get"];

const SESSION = "s-1";

/**
 * A call of a policy in force: one that it allows, or else one of a tool that it names. The policy of the
 * given agent comes first. Null: no policy governs an agent.
 */
export async function callToTry(
  files: readonly PolicyFile[],
  agent: string | null,
): Promise<CallToTry | null> {
  const compiled: CompiledFile[] = [];
  for (const file of files) compiled.push(await compilePolicyFile(file));
  const governing = compiled.flatMap((file) => {
    const { agentId } = file.explaining.policy;
    return agentId === null ? [] : [{ file, agentId }];
  });
  const chosen = governing.find(({ agentId }) => agentId === agent) ?? governing[0];
  if (chosen === undefined) return null;
  const { file, agentId } = chosen;
  const tools = toolsOf(file);
  const tool = (await firstAllowed(file, agentId, tools)) ?? tools[0];
  return tool === undefined ? null : { agent_id: agentId, session_id: SESSION, tool, args: {} };
}

/** Names that the policy allows, then names of its rules, then names that it denies. */
function toolsOf({ reading: { document } }: CompiledFile): readonly string[] {
  const named = [document.allowed, document.denied].map((list) => list.map(({ glob }) => glob));
  const [allowed = [], denied = []] = named;
  return [...allowed, ...document.rules.flatMap(({ tools }) => tools), ...denied]
    .flatMap((glob) => (glob.includes("*") ? FILLINGS.map((word) => glob.replaceAll("*", word)) : [glob]))
    .filter(isName);
}

async function firstAllowed(
  file: CompiledFile,
  agentId: string,
  tools: readonly string[],
): Promise<string | undefined> {
  for (const tool of tools) if (await allows(file, agentId, tool)) return tool;
  return undefined;
}

async function allows(
  { explaining: { policy } }: CompiledFile,
  agentId: string,
  tool: string,
): Promise<boolean> {
  const call: GovernedCall = {
    agentId,
    sessionId: SESSION,
    namespace: DEFAULT_NAMESPACE,
    tool,
    args: {},
    timeMs: Date.now(),
    costMicroUsd: 0,
    costIsTrusted: false,
    context: { usage: { steps: 0, costMicroUsd: 0 } },
  };
  const said = await askModules(policy, call);
  return withModules(policy, policy.evaluate(call), said).decision === "allow";
}
