import { keyRoutes } from "@svc/api/key-routes";
import type { KeyRecord } from "@svc/contract/key";
import { MAX_PAGE_SIZE } from "@svc/contract/limits";
import { ControlClient } from "../connection/control-client.ts";
import { everyPage } from "../connection/every-page.ts";
import { resolveConnection } from "../connection/resolve-connection.ts";
import type { ServerOptions } from "../connection/server-options.ts";
import type { Outcome } from "../frame/exit-code.ts";
import { Output, type OutputOptions } from "../frame/output.ts";
import { renderTable } from "../frame/render-table.ts";
import type { Terminal } from "../frame/terminal.ts";
import { keyState } from "./key-text.ts";

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
  const keys: KeyRecord[] = [];
  for await (const page of everyPage((cursor) =>
    client.ask(keyRoutes.listKeys, { query: { org_id: options.org, limit, cursor } }),
  )) {
    keys.push(...page.keys.filter((key) => options.all || keyState(key, nowMs).startsWith("active")));
    if (page.next_cursor !== null) output.progress(`${String(keys.length)} keys read`);
  }
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
