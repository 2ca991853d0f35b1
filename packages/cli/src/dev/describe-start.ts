import { shellWord } from "../frame/shell-word.ts";
import type { Piece } from "../frame/text.ts";
import type { CallToTry } from "./call-to-try.ts";
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
