import { policyRoutes } from "@svc/api/policy-routes";
import type { JsonAnswerOf } from "@svc/api/route";
import { ControlClient } from "../connection/control-client.ts";
import { resolveConnection } from "../connection/resolve-connection.ts";
import type { ServerOptions } from "../connection/server-options.ts";
import type { Outcome } from "../frame/exit-code.ts";
import { Output, type OutputOptions } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";
import { modeOf } from "../rollout/policy-mode.ts";
import { type Policy, readPolicy } from "../rollout/read-policy.ts";

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
