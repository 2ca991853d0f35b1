import { keyRoutes } from "@svc/api/key-routes";
import type { JsonAnswerOf } from "@svc/api/route";
import { ControlClient } from "../connection/control-client.ts";
import { resolveConnection } from "../connection/resolve-connection.ts";
import { changeWords, sayWhatIsKnown } from "../connection/say-what-is-known.ts";
import type { ServerOptions } from "../connection/server-options.ts";
import type { Outcome } from "../frame/exit-code.ts";
import { Output, type OutputOptions } from "../frame/output.ts";
import { type Member, renderMembers } from "../frame/tables.ts";
import type { Terminal } from "../frame/terminal.ts";

export interface LogoutOptions extends ServerOptions, OutputOptions {
  readonly person?: string;
}

/** Ends the login at the server. The file of its key then holds nothing of use. @throws CommandFailure */
export async function logOut(options: LogoutOptions, terminal: Terminal): Promise<Outcome> {
  const client = new ControlClient(await resolveConnection(options, terminal));
  if (options.person !== undefined)
    return logOutPerson(client, options.person, new Output(terminal, options));
  const asked = client.ask(keyRoutes.endLogin);
  const { body: ended } = await sayWhatIsKnown(asked, changeWords("svc-cli whoami"));
  new Output(terminal, options).result({
    text: `signed out  the login ${ended.id} has ended\n`,
    schema: "svc.cli.logout/v1",
    json: ended,
  });
  return "ok";
}

/** Ends every login of somebody else, or of the caller. */
async function logOutPerson(client: ControlClient, person: string, output: Output): Promise<Outcome> {
  const asked = client.ask(keyRoutes.endLoginsOf, { params: { person } });
  const { body: ended } = await sayWhatIsKnown(asked, changeWords("svc-cli keys list"));
  const { key_ids: ids, enforced } = ended;
  const which = ids.length === 0 ? "all of them had ended before" : ids.join(", ");
  output.result({
    text: [
      enforced ? "signed out" : { text: "NOT KNOWN EVERYWHERE", as: "bad" },
      `  the logins of ${person}: ${which}\n`,
    ],
    schema: "svc.cli.logout-person/v1",
    json: ended,
  });
  return enforced ? "ok" : "unreachable";
}

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
