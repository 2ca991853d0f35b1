import type { keyRoutes } from "@svc/api/key-routes";
import type { JsonAnswerOf } from "@svc/api/route";
import { addressWords } from "../connection/address-words.ts";
import { changeRowMember, findChangeRow, rowsBefore } from "../connection/change-row.ts";
import type { ControlClient } from "../connection/control-client.ts";
import { sayWhatIsKnown } from "../connection/say-what-is-known.ts";
import type { ServerOptions } from "../connection/server-options.ts";
import { CommandFailure, type Outcome } from "../frame/exit-code.ts";
import type { Output } from "../frame/output.ts";
import { readFault } from "../frame/read-fault.ts";
import { type Member, renderMembers } from "../frame/render-members.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { Piece } from "../frame/text.ts";
import { acknowledgementText, areAllThere } from "../kill/acknowledgement-text.ts";
import { keyMembers } from "./key-text.ts";
import { openSecretOutput, type SecretOutput } from "./secret-output.ts";

/** Also the answer to a rotation. */
type Answer = JsonAnswerOf<typeof keyRoutes.createKey>["body"];
type Issued = Extract<Answer, { readonly kind: "issued" }>;

/** In place of a file: the secret alone goes to stdout, and everything about it to stderr. */
const STDOUT = "-";

/** A creation or a rotation. */
export interface Issue {
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
