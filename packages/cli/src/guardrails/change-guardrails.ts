import { guardrailRoutes } from "@svc/api/guardrail-routes";
import type { JsonAnswerOf } from "@svc/api/route";
import { type GuardrailRecord, type GuardrailUpdate, parseGuardrailUpdate } from "@svc/contract/guardrail";
import { canonicalJson } from "@svc/text/canonical-json";
import type { JsonObject } from "@svc/text/json-value";
import { confirmProtected, type ReasonedOptions, reasonOr } from "../connection/change-options.ts";
import { ControlClient } from "../connection/control-client.ts";
import { RequestFailure } from "../connection/request-failure.ts";
import { resolveConnection } from "../connection/resolve-connection.ts";
import { changeWords, sayWhatIsKnown } from "../connection/say-what-is-known.ts";
import { CommandFailure, type Outcome } from "../frame/exit-code.ts";
import { Output } from "../frame/output.ts";
import { oneLine } from "../frame/tables.ts";
import type { Terminal } from "../frame/terminal.ts";
import { readGuardrailFile } from "../policy-files/guardrail-file.ts";
import { definitionOf } from "./definition-of.ts";

export interface PutOptions extends ReasonedOptions {
  readonly only?: readonly string[];
}

type Changed = JsonAnswerOf<typeof guardrailRoutes.putGuardrail>["body"];

/** What became of one guardrail of the file. */
type Put =
  | { readonly id: string; readonly done: "unchanged"; readonly version: number }
  | ({ readonly done: "created" | "changed" } & Changed);

const LOOK = changeWords("svc-cli guardrails list");

/** Makes or changes the guardrails of a file. Each is a change of its own. @throws CommandFailure */
export async function putGuardrails(path: string, options: PutOptions, terminal: Terminal): Promise<Outcome> {
  const wanted = chosen(await readGuardrailFile(path, terminal), options.only ?? null, path);
  const why = reasonOr("svc-cli guardrails put", options);
  const connection = await resolveConnection(options, terminal);
  await confirmProtected(connection, `change guardrails ${[...wanted.keys()].join(", ")}`, options, terminal);
  const client = new ControlClient(connection);
  const done: Put[] = [];
  for (const [id, written] of wanted)
    done.push(await put(client, { id, written, why, dryRun: options.dryRun }));
  new Output(terminal, options).result({
    text: done.map((one) => lineOf(one, options.dryRun)).join(""),
    schema: "svc.cli.guardrails-put/v1",
    json: { dry_run: options.dryRun, guardrails: done },
    items: done,
  });
  return done.some(isPending) ? "unreachable" : "ok";
}

function chosen(
  all: ReadonlyMap<string, JsonObject>,
  only: readonly string[] | null,
  path: string,
): ReadonlyMap<string, JsonObject> {
  if (only === null) return all;
  return new Map(
    only.map((id) => {
      const written = all.get(id);
      if (written !== undefined) return [id, written] as const;
      throw new CommandFailure("usage", `--only: ${path} has no guardrail ${JSON.stringify(id)}`);
    }),
  );
}

interface Wanted {
  readonly id: string;
  readonly written: JsonObject;
  readonly why: string;
  readonly dryRun: boolean;
}

async function put(client: ControlClient, { id, written, why, dryRun }: Wanted): Promise<Put> {
  const update = updateOf(id, written);
  const stored = await storedGuardrail(client, id);
  const query = { dry_run: String(dryRun) };
  if (stored === null) {
    const body = { ...written, id, why };
    const asked = client.ask(guardrailRoutes.createGuardrail, { query, body });
    return { done: "created", ...(await sayWhatIsKnown(asked, LOOK)).body };
  }
  if (canonicalJson(definitionOf(stored)) === canonicalJson(definitionOf(update)))
    return { id, done: "unchanged", version: stored.version };
  const question = {
    params: { guardrail_id: id },
    query,
    body: { ...written, why },
    ifMatch: stored.version,
  };
  const asked = client.ask(guardrailRoutes.putGuardrail, question);
  return { done: "changed", ...(await sayWhatIsKnown(asked, LOOK)).body };
}

function updateOf(id: string, written: JsonObject): GuardrailUpdate {
  const parsed = parseGuardrailUpdate(written);
  if (parsed.ok) return parsed.value;
  const [first] = parsed.errors;
  throw new CommandFailure("failed", `${id}${first?.pointer ?? ""}: ${first?.expected ?? "it is refused"}`);
}

async function storedGuardrail(client: ControlClient, id: string): Promise<GuardrailRecord | null> {
  try {
    return (await client.ask(guardrailRoutes.getGuardrail, { params: { guardrail_id: id } })).body;
  } catch (error) {
    if (error instanceof RequestFailure && error.code === "not_found") return null;
    throw error;
  }
}

function isPending(one: Put): boolean {
  return one.done !== "unchanged" && one.note !== undefined;
}

function lineOf(one: Put, dryRun: boolean): string {
  const begin = dryRun ? "dry run  nothing was changed; would be " : "";
  const version = `version ${String(one.version)}`;
  if (one.done === "unchanged") return `unchanged  ${one.id}  ${version}\n`;
  const policies = one.policies.map((policy) => `${policy.id} ${String(policy.version)}`).join(", ");
  const used = policies === "" ? "no policy names it" : `policies ${policies}`;
  const warnings = one.warnings.map(
    ({ pointer, message, fix }) => `\n  warning ${oneLine(pointer)}: ${oneLine(message)}. ${oneLine(fix)}`,
  );
  const note = one.note === undefined ? "" : `\n  ${oneLine(one.note)}`;
  return `${begin}${one.done}  ${one.id}  ${version}  ${used}${warnings.join("")}${note}\n`;
}

/** Removes a guardrail that no policy names. @throws CommandFailure */
export async function deleteGuardrail(
  id: string,
  options: ReasonedOptions,
  terminal: Terminal,
): Promise<Outcome> {
  const why = reasonOr("svc-cli guardrails delete", options);
  const connection = await resolveConnection(options, terminal);
  await confirmProtected(connection, `delete guardrail ${id}`, options, terminal);
  const client = new ControlClient(connection);
  const params = { guardrail_id: id };
  const asked = options.dryRun
    ? client.ask(guardrailRoutes.getGuardrail, { params })
    : sayWhatIsKnown(client.ask(guardrailRoutes.deleteGuardrail, { params, query: { why } }), LOOK);
  const { body } = await asked;
  const done = options.dryRun ? "dry run  nothing was changed; this would delete" : "deleted ";
  new Output(terminal, options).result({
    text: `${done} guardrail ${id}, version ${String(body.version)}\n`,
    schema: "svc.cli.guardrail/v1",
    json: { ...body, dry_run: options.dryRun },
  });
  return "ok";
}
