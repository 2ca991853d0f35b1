import { keyRoutes } from "@svc/api/key-routes";
import type { JsonAnswerOf } from "@svc/api/route";
import { ROLES, type Role } from "@svc/contract/role";
import { confirmProtected } from "../connection/change-options.ts";
import { changeRowMember, findChangeRow, rowsBefore } from "../connection/change-row.ts";
import { ControlClient } from "../connection/control-client.ts";
import { resolveConnection } from "../connection/resolve-connection.ts";
import { sayWhatIsKnown } from "../connection/say-what-is-known.ts";
import { addressWords, type ServerOptions } from "../connection/server-options.ts";
import { CommandFailure, type Outcome } from "../frame/exit-code.ts";
import { readFault } from "../frame/files.ts";
import { Output, type OutputOptions } from "../frame/output.ts";
import { type Member, renderMembers } from "../frame/tables.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { Piece } from "../frame/text.ts";
import { acknowledgementText, areAllThere } from "../kill/acknowledgement-text.ts";
import { keyMembers } from "./list-keys.ts";
import { openSecretOutput, type SecretOutput } from "./secret-output.ts";

/** Also the answer to a rotation. */
type Answer = JsonAnswerOf<typeof keyRoutes.createKey>["body"];
type Issued = Extract<Answer, { readonly kind: "issued" }>;

/** In place of a file: the secret alone goes to stdout, and everything about it to stderr. */
const STDOUT = "-";

/** A creation or a rotation. */
interface Issue {
  readonly client: ControlClient;
  readonly output: Output;
  readonly terminal: Terminal;
  readonly options: ServerOptions & { readonly out?: string; readonly quiet: boolean };
  readonly action: "created" | "rotated";
  /** Null: the key is not there yet. */
  readonly keyId: string | null;
  ask(): Promise<{ readonly body: Answer }>;
}

/** Asks for a new secret, and puts it into its file, or shows it this once. @throws CommandFailure */
export async function issueKey(issue: Issue): Promise<Outcome> {
  const { client, action, options, terminal } = issue;
  const isAlone = options.out === STDOUT;
  const file = isAlone ? undefined : options.out;
  if (options.quiet && file === undefined)
    throw new CommandFailure("usage", "--quiet would lose the secret: name a file for it with --out");
  const query = { kind: "key" };
  const known = await rowsBefore(client, query);
  const place = openSecretOutput(file, action === "rotated", terminal);
  const words = {
    nothing: "Nothing was changed",
    unknown: "It is not known whether a secret was made, and nobody can read it any more",
    look: "Look with svc-cli keys list, and revoke a key of this name.",
  };
  const issued = await sayWhatIsKnown(issue.ask(), words)
    .then(({ body }) => requireSecret(body, options))
    .catch((error: unknown) => {
      place.drop();
      throw error;
    });
  keep(place, issued, options);
  const row = await findChangeRow(
    client,
    query,
    ({ action: done, key_id: id }) => done === action && id === issued.id,
    known,
  );
  const secret = [
    place.path === null ? "secret" : "secret in",
    place.path ?? (isAlone ? "on stdout, this once" : `${issued.key} (shown this once)`),
  ] as const;
  const details = detailsOf(issue, issued, [secret, ...changeRowMember(row)]);
  if (isAlone) issue.output.note(details);
  issue.output.result({
    text: isAlone ? `${issued.key}\n` : details,
    schema: "svc.cli.issued-key/v1",
    json: {
      ...issued,
      key: place.path === null ? issued.key : undefined,
      secret_file: place.path,
      audit_row: row.id,
    },
  });
  return areAllThere(issued) ? "ok" : "unreachable";
}

function detailsOf(
  { action, keyId, options, output }: Issue,
  issued: Issued,
  more: readonly Member[],
): Piece[] {
  const undo = `svc-cli keys revoke ${issued.id}${addressWords(options)}`;
  return [
    areAllThere(issued) ? { text: action, as: "good" } : { text: "NOT KNOWN EVERYWHERE", as: "bad" },
    `  key ${issued.id}\n`,
    ...acknowledgementText(issued, output),
    ...renderMembers([
      ...keyMembers(issued),
      ...more,
      ...(keyId === null ? ([["undo", undo]] as const) : []),
    ]),
  ];
}

/** The server keeps no secret: a repeat of a request whose answer was lost has none. */
function requireSecret(answer: Answer, options: ServerOptions): Issued {
  if (answer.kind === "issued") return answer;
  const { id } = answer;
  throw new CommandFailure(
    "unreachable",
    `key ${id} has a new secret, but the answer that showed it was lost, and it is shown once. ` +
      `svc-cli keys rotate ${id} --overlap 0${addressWords(options)} makes another one, ` +
      `and svc-cli keys revoke ${id}${addressWords(options)} ends the key.`,
  );
}

/** @throws CommandFailure when the file cannot take the secret, which is then lost */
function keep(place: SecretOutput, { id, key }: Issued, options: ServerOptions): void {
  try {
    place.keep(key);
  } catch (error) {
    place.drop();
    throw new CommandFailure(
      "usage",
      `key ${id} has a new secret, but ${place.path ?? "the file"} cannot be written: ${readFault(error)}. ` +
        `It is lost: svc-cli keys revoke ${id}${addressWords(options)} ends the key.`,
      error,
    );
  }
}

export interface CreateOptions extends ServerOptions, OutputOptions {
  readonly role?: Role;
  readonly out?: string;
  readonly agents?: readonly string[];
  readonly namespaces?: readonly string[];
  /** Seconds. */
  readonly expiresIn?: number;
  readonly org?: string;
  readonly dryRun: boolean;
  readonly yes: boolean;
}

/** Makes an API key. @throws CommandFailure */
export async function createKey(name: string, options: CreateOptions, terminal: Terminal): Promise<Outcome> {
  const { role, agents, namespaces, expiresIn, org } = options;
  if (role === undefined)
    throw new CommandFailure("usage", `--role: expected one of ${ROLES.join(", ")}, found none`);
  const output = new Output(terminal, options);
  const connection = await resolveConnection(options, terminal);
  await confirmProtected(connection, `make a key of role ${role}`, options, terminal);
  const body = {
    name,
    role,
    agents: agents === undefined ? null : [...agents],
    namespaces: namespaces === undefined ? null : [...namespaces],
    expires_at: expiresIn === undefined ? null : new Date(Date.now() + expiresIn * 1_000).toISOString(),
    ...(org === undefined ? {} : { org_id: org }),
  };
  if (options.dryRun) {
    output.result({
      text: `dry run  nothing was changed; this would make key ${name} of role ${role}\n`,
      schema: "svc.cli.issued-key/v1",
      json: { dry_run: true, would_create: body },
    });
    return "ok";
  }
  const client = new ControlClient(connection);
  return issueKey({
    client,
    output,
    terminal,
    options,
    action: "created",
    keyId: null,
    ask: () => client.ask(keyRoutes.createKey, { body }),
  });
}

export interface RotateOptions extends ServerOptions, OutputOptions {
  readonly out?: string;
  /** Seconds. */
  readonly overlap?: number;
  readonly dryRun: boolean;
  readonly yes: boolean;
}

/** Gives a key a new secret. @throws CommandFailure */
export async function rotateKey(id: string, options: RotateOptions, terminal: Terminal): Promise<Outcome> {
  const output = new Output(terminal, options);
  const connection = await resolveConnection(options, terminal);
  await confirmProtected(connection, `give key ${id} a new secret`, options, terminal);
  const client = new ControlClient(connection);
  const params = { key_id: id };
  if (options.dryRun) {
    const { body: key } = await client.ask(keyRoutes.getKey, { params });
    output.result({
      text: `dry run  nothing was changed; this would give key ${id} (${key.name}) a new secret\n`,
      schema: "svc.cli.issued-key/v1",
      json: { dry_run: true, key },
    });
    return "ok";
  }
  const { overlap } = options;
  const body = overlap === undefined ? {} : { overlap_seconds: overlap };
  return issueKey({
    client,
    output,
    terminal,
    options,
    action: "rotated",
    keyId: id,
    ask: () => client.ask(keyRoutes.rotateKey, { params, body }),
  });
}
