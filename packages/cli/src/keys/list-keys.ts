import { keyRoutes } from "@svc/api/key-routes";
import type { KeyRecord } from "@svc/contract/key";
import { MAX_PAGE_SIZE } from "@svc/contract/limits";
import { confirmProtected } from "../connection/change-options.ts";
import { changeRowMember, findChangeRow } from "../connection/change-row.ts";
import { ControlClient, everyItem } from "../connection/control-client.ts";
import { resolveConnection } from "../connection/resolve-connection.ts";
import { changeWords, sayWhatIsKnown } from "../connection/say-what-is-known.ts";
import type { ServerOptions } from "../connection/server-options.ts";
import type { Outcome } from "../frame/exit-code.ts";
import { Output, type OutputOptions } from "../frame/output.ts";
import { type Member, renderMembers, renderTable } from "../frame/tables.ts";
import type { Terminal } from "../frame/terminal.ts";
import { acknowledgementText, isConfirmed } from "../kill/acknowledgement-text.ts";

export interface ListKeysOptions extends ServerOptions, OutputOptions {
  readonly all: boolean;
  readonly org?: string;
}

/** Lists keys, page by page. @throws CommandFailure */
export async function listKeys(options: ListKeysOptions, terminal: Terminal): Promise<Outcome> {
  const output = new Output(terminal, options);
  const client = new ControlClient(await resolveConnection(options, terminal));
  const nowMs = Date.now();
  const limit = String(MAX_PAGE_SIZE);
  const keys = await everyItem(
    (cursor) => client.ask(keyRoutes.listKeys, { query: { org_id: options.org, limit, cursor } }),
    (page) => page.keys.filter((key) => options.all || keyState(key, nowMs).startsWith("active")),
    (read) => output.progress(`${String(read)} keys read`),
  );
  output.result({
    text:
      keys.length === 0
        ? "no keys\n"
        : renderTable(
            HEADINGS,
            keys.map((key) => rowOf(key, nowMs)),
            output.isTerminal,
          ),
    schema: "svc.cli.keys/v1",
    json: { keys },
    items: keys,
  });
  return "ok";
}

const HEADINGS = ["ID", "NAME", "ROLE", "AGENTS", "NAMESPACES", "STATE", "NEWEST SECRET", "MADE BY"];

function rowOf(key: KeyRecord, nowMs: number): readonly string[] {
  const { id, name, role, agents, namespaces, secrets, created_by: by } = key;
  return [
    id,
    name,
    role,
    agents?.join(",") ?? "all",
    namespaces?.join(",") ?? "all",
    keyState(key, nowMs),
    secrets.at(-1)?.created_at ?? "none",
    by,
  ];
}

export interface RevokeOptions extends ServerOptions, OutputOptions {
  readonly dryRun: boolean;
  readonly yes: boolean;
}

/** Ends a key, and says which gateways refuse it. @throws CommandFailure */
export async function revokeKey(id: string, options: RevokeOptions, terminal: Terminal): Promise<Outcome> {
  const output = new Output(terminal, options);
  const connection = await resolveConnection(options, terminal);
  await confirmProtected(connection, `end key ${id} for good`, options, terminal);
  const client = new ControlClient(connection);
  const params = { key_id: id };
  if (options.dryRun) {
    const { body: key } = await client.ask(keyRoutes.getKey, { params });
    output.result({
      text: [
        `dry run  nothing was changed; this would end key ${id}\n`,
        ...renderMembers([...keyMembers(key), ["state", keyState(key, Date.now())]]),
      ],
      schema: "svc.cli.revoked-key/v1",
      json: { dry_run: true, key },
    });
    return "ok";
  }
  const asked = client.ask(keyRoutes.revokeKey, { params });
  const { body: revoked } = await sayWhatIsKnown(asked, changeWords("svc-cli keys list"));
  const row = await findChangeRow(
    client,
    { kind: "key" },
    ({ action, key_id: key }) => action === "revoked" && key === id,
  );
  output.result({
    text: [
      isConfirmed(revoked) ? { text: "revoked", as: "good" } : { text: "NOT KNOWN EVERYWHERE", as: "bad" },
      `  key ${id} (${revoked.name})\n`,
      ...acknowledgementText(revoked, output),
      ...renderMembers([
        ["undo", 'not possible: make another key with svc-cli keys create "<name>" --role <role>'],
        ...changeRowMember(row),
      ]),
    ],
    schema: "svc.cli.revoked-key/v1",
    json: { ...revoked, audit_row: row.id },
  });
  return isConfirmed(revoked) ? "ok" : "unreachable";
}

/** What a key may do, and how long. */
export function keyMembers({
  name,
  role,
  org_id: org,
  agents,
  namespaces,
  expires_at: end,
}: KeyRecord): Member[] {
  return [
    ["name", name],
    ["role", `${role}, organization ${org}`],
    ["agents", agents?.join(", ") ?? "every agent"],
    ["namespaces", namespaces?.join(", ") ?? "every namespace"],
    ["expires", end ?? "never"],
  ];
}

/** Whether a key works now, and until when. */
function keyState({ revoked_at: revoked, expires_at: end }: KeyRecord, nowMs: number): string {
  if (revoked !== null) return `revoked ${revoked}`;
  if (end === null) return "active";
  return Date.parse(end) <= nowMs ? `expired ${end}` : `active until ${end}`;
}
