import { DEFAULT_NAMESPACE } from "@svc/contract/execute-request";
import { isName } from "@svc/contract/name";
import type { GovernedCall } from "@svc/engine/evaluation";
import { askModules, withModules } from "@svc/policy-analysis/ask-modules";
import { shellWord } from "../frame/shell-word.ts";
import type { Piece } from "../frame/text.ts";
import { type CompiledFile, compilePolicyFile } from "../policy-files/compile-policy-file.ts";
import type { PolicyFile } from "../policy-files/read-policy-file.ts";
import type { DevAddresses } from "./dev-server.ts";

export interface StartNews extends DevAddresses {
  readonly context: string;
  readonly isCurrent: boolean;
  readonly folder: string;
  readonly policies: number;
  readonly isTemporary: boolean;
  readonly key: string;
  readonly approver_context: string;
  readonly approver_key_file: string;
  /** Null: no policy governs an agent yet. */
  readonly call: CallToTry | null;
}

/** What runs where, the key, and a call to try. */
export function describeStart(news: StartNews): readonly Piece[] {
  const { url, key, context, isCurrent, folder, policies, isTemporary } = news;
  const { approver_context: approver, approver_key_file: approverKey } = news;
  const rows: readonly (readonly [string, string])[] = [
    ["svc-server", url],
    ["svc-extproc", `${news.extproc_address}  for Envoy`],
    ["svc-mcp-proxy", news.mcp_proxy_url === null ? NO_MCP : `${news.mcp_proxy_url}/mcp  for MCP clients`],
    ["svc-checkgw", `${news.checkgw_url}  for HTTP auth hooks and LLM gateways`],
    ["policies", `${folder}: ${String(policies)} in force; each change of a file is taken`],
    ["data", isTemporary ? `${news.data_dir}, until svc-cli dev ends` : news.data_dir],
    ["api key", `${key}  of this run, as SVC_API_KEY for clients`],
    ["approve", `svc-cli approvals list --context ${approver}; the page asks for the key in ${approverKey}`],
    ["context", isCurrent ? `${context}, which other commands use by themselves` : `--context ${context}`],
  ];
  return [
    ...rows.flatMap(([name, text]): Piece[] => [{ text: name.padEnd(15), as: "strong" }, `${text}\n`]),
    ...callPieces(news),
    "\nCtrl-C ends everything. Decisions:\n",
  ];
}

const NO_MCP = "not started; --mcp names the MCP server that it stands before";

function callPieces({ url, key, call, folder }: StartNews): readonly Piece[] {
  if (call === null)
    return [
      `\nNo policy governs an agent yet, so every call is denied. svc-cli init writes one to ${folder}.\n`,
    ];
  return [
    "\nA call to try:\n",
    `  curl -s ${url}/api/v1/gateway/execute -H 'authorization: Bearer ${key}' \\\n`,
    `    -H 'content-type: application/json' -d ${shellWord(JSON.stringify(call))}\n`,
  ];
}

/** A call as the body of gateway/execute. */
interface CallToTry {
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
