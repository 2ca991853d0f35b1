import { keyRoutes } from "@svc/api/key-routes";
import type { JsonAnswerOf } from "@svc/api/route";
import { ControlClient } from "../connection/control-client.ts";
import { resolveConnection } from "../connection/resolve-connection.ts";
import type { ServerOptions } from "../connection/server-options.ts";
import type { Outcome } from "../frame/exit-code.ts";
import { Output, type OutputOptions } from "../frame/output.ts";
import { type Member, renderMembers } from "../frame/render-members.ts";
import type { Terminal } from "../frame/terminal.ts";

export interface WhoAmIOptions extends ServerOptions, OutputOptions {}

type Me = JsonAnswerOf<typeof keyRoutes.whoAmI>["body"];

/** Says whom the server takes the caller for. @throws CommandFailure */
export async function whoAmI(options: WhoAmIOptions, terminal: Terminal): Promise<Outcome> {
  const client = new ControlClient(await resolveConnection(options, terminal));
  const { body: me } = await client.ask(keyRoutes.whoAmI);
  new Output(terminal, options).result({
    text: renderMembers(whoAmIMembers(me)),
    schema: "svc.cli.whoami/v1",
    json: me,
  });
  return "ok";
}

/** Who somebody is, what they may do, and until when. */
export function whoAmIMembers({ principal, name, org_id, role, identity, scopes, expires_at }: Me): Member[] {
  const person = identity?.person ?? null;
  return [
    ["principal", principal],
    ["name", person?.name ?? name ?? "none"],
    ["roles", (person?.roles ?? [role]).join(", ")],
    ...(person === null ? [] : ([["groups", person.groups.join(", ") || "none"]] as const)),
    ["organization", org_id],
    ["scopes", scopes.join(", ")],
    ["expires", expires_at ?? "never"],
  ];
}
