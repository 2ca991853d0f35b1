import { policyRoutes } from "@svc/api/policy-routes";
import type { JsonAnswerOf } from "@svc/api/route";
import { MAX_PAGE_SIZE } from "@svc/contract/limits";
import { ControlClient, everyItem } from "../connection/control-client.ts";
import { resolveConnection } from "../connection/resolve-connection.ts";
import type { ServerOptions } from "../connection/server-options.ts";
import type { Outcome } from "../frame/exit-code.ts";
import { Output, type OutputOptions } from "../frame/output.ts";
import { renderTable } from "../frame/tables.ts";
import type { Terminal } from "../frame/terminal.ts";
import {
  type HistoryEntry,
  modeOf,
  type Policy,
  readHistory,
  readPolicy,
  readVersion,
  readVersionText,
} from "../rollout/read-policy.ts";

/** What `policies list` selects. */
export interface ListOptions extends ServerOptions, OutputOptions {
  readonly mode?: string;
  readonly agent?: string;
  readonly namespace?: string;
  readonly search?: string;
}

type ListedPolicy = JsonAnswerOf<typeof policyRoutes.listPolicies>["body"]["policies"][number];

/** Lists every policy that is selected, page by page. @throws CommandFailure */
export async function listPolicies(options: ListOptions, terminal: Terminal): Promise<Outcome> {
  const output = new Output(terminal, options);
  const { mode, agent, namespace, search: q } = options;
  const client = new ControlClient(await resolveConnection(options, terminal));
  const query = { mode, agent, namespace, q, limit: String(MAX_PAGE_SIZE) };
  const policies = await everyItem(
    (cursor) => client.ask(policyRoutes.listPolicies, { query: { ...query, cursor } }),
    (page) => page.policies,
    (read) => output.progress(`${String(read)} policies read`),
  );
  output.result({
    text:
      policies.length === 0
        ? "no policies\n"
        : renderTable(POLICY_HEADINGS, policies.map(policyRow), output.isTerminal),
    schema: "svc.cli.policies/v1",
    json: { policies },
    items: policies,
  });
  return "ok";
}

const POLICY_HEADINGS = ["POLICY", "VERSION", "MODE", "STATE", "SINCE", "BY"];

function policyRow({ id, version, mode, enabled, created_at, created_by }: ListedPolicy): readonly string[] {
  return [id, String(version), mode, enabled ? "enabled" : "disabled", created_at, created_by];
}

/** Lists the versions of a policy. @throws CommandFailure */
export async function listVersions(
  id: string,
  options: ServerOptions & OutputOptions,
  terminal: Terminal,
): Promise<Outcome> {
  const output = new Output(terminal, options);
  const client = new ControlClient(await resolveConnection(options, terminal));
  const versions: HistoryEntry[] = [];
  for await (const entry of readHistory(client, id)) versions.push(entry);
  output.result({
    text: renderTable(VERSION_HEADINGS, versions.map(versionRow), output.isTerminal),
    schema: "svc.cli.policy-versions/v1",
    json: { policy_id: id, versions },
    items: versions,
  });
  return "ok";
}

const VERSION_HEADINGS = ["VERSION", "SINCE", "BY", "CONTENT OF", "WHY"];
function versionRow({
  version,
  created_at,
  created_by,
  rolled_back_to: of,
  why,
}: HistoryEntry): readonly string[] {
  return [String(version), created_at, created_by, of === null ? "" : String(of), why ?? ""];
}

type InForce = JsonAnswerOf<typeof policyRoutes.getPolicyGateways>["body"];

/** Shows one policy. @throws CommandFailure */
export async function showPolicy(
  id: string,
  options: ServerOptions & OutputOptions,
  terminal: Terminal,
): Promise<Outcome> {
  const client = new ControlClient(await resolveConnection(options, terminal));
  const policy = await readPolicy(client, id);
  const params = { policy_id: id };
  const inForce = (await client.ask(policyRoutes.getPolicyGateways, { params })).body;
  new Output(terminal, options).result({
    text: linesOf(policy, inForce)
      .map(([name, value]) => `${`${name}:`.padEnd(WIDTH)}${value}\n`)
      .join(""),
    schema: "svc.cli.policy/v1",
    json: { policy, gateways: inForce.gateways },
  });
  return "ok";
}

/** Characters of the longest name, with a colon and a blank. */
const WIDTH = 13;
function linesOf(policy: Policy, { gateways }: InForce): readonly (readonly [string, string])[] {
  const { id, version, document, enabled, archived, labels, created_at, created_by, why, rolled_back_to } =
    policy;
  const confirmed = gateways.filter(({ acknowledged_ms: ms }) => ms !== null).length;
  const silent = gateways.flatMap((one) => (one.acknowledged_ms === null ? [one.id] : []));
  const missing = silent.length === 0 ? "" : `; not confirmed: ${silent.join(", ")}`;
  const state = enabled ? "enabled" : "disabled: it denies every call that it governs";
  const named = Object.entries(labels).map(([name, value]) => `${name}=${value}`);
  return [
    ["policy", id],
    [
      "version",
      `${String(version)}${rolled_back_to === null ? "" : `, the content of ${String(rolled_back_to)}`}`,
    ],
    ["mode", modeOf(document)],
    ["state", archived ? "archived: it governs nothing" : state],
    ["since", `${created_at} by ${created_by}`],
    ["why", why ?? "not said"],
    ["labels", named.length === 0 ? "none" : named.join(", ")],
    ["gateways", `${String(confirmed)}/${String(gateways.length)} decide by this version${missing}`],
  ];
}

export interface GetOptions extends ServerOptions, OutputOptions {
  readonly version?: number;
}

/** Prints the text of one version. @throws CommandFailure */
export async function getPolicy(id: string, options: GetOptions, terminal: Terminal): Promise<Outcome> {
  const client = new ControlClient(await resolveConnection(options, terminal));
  const version = options.version ?? (await readPolicy(client, id)).version;
  const source = await readVersionText(client, id, version);
  // Into a file goes every byte. A terminal gets no character that controls it.
  if (options.output === "pretty" && terminal.outIsTerminal !== true && !options.quiet) {
    terminal.writeOut(source);
    return "ok";
  }
  const { document } = await readVersion(client, id, version);
  new Output(terminal, options).result({
    text: source,
    schema: "svc.cli.policy-text/v1",
    json: { policy_id: id, version, source, document },
  });
  return "ok";
}
