import { confirmProtected, type ReasonedOptions } from "../connection/change-options.ts";
import type { ControlClient } from "../connection/control-client.ts";
import type { Connection } from "../connection/resolve-connection.ts";
import type { Outcome } from "../frame/exit-code.ts";
import type { Output, Result } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { Piece } from "../frame/text.ts";
import { appliedText, undoOf } from "./applied-text.ts";
import { applyVersion, outcomeOf } from "./apply-version.ts";
import { interruptible } from "./interruptible.ts";
import { tryVersion, type VersionDraft } from "./store-version.ts";

/** A change of one policy, ready to be shown and made. */
export interface VersionChange {
  readonly draft: VersionDraft;
  /** What will change, for people. */
  readonly plan: readonly Piece[];
  /** What will change, in a few words: `roll policy p back`. */
  readonly intent: string;
  /** What was done, in one word or two. */
  readonly done: string;
  readonly schema: Result["schema"];
  readonly json: object;
}

interface ChangeSurroundings {
  readonly connection: Connection;
  readonly client: ControlClient;
  readonly output: Output;
  readonly options: ReasonedOptions & { readonly wait: number };
  readonly terminal: Terminal;
}

/** Checks the change at the server, asks where that is needed, makes it, and says what became of it. */
export async function changeVersion(change: VersionChange, around: ChangeSurroundings): Promise<Outcome> {
  const { draft, plan, intent, done, schema, json } = change;
  const { connection, client, output, options, terminal } = around;
  await tryVersion(client, draft);
  if (options.dryRun) {
    const text = [...plan, { text: "dry run", as: "warning" } as const, "   nothing was changed\n"];
    output.result({ text, schema, json: { ...json, stored: false } });
    return "ok";
  }
  if (connection.protectedName !== undefined && !options.yes) output.note(plan);
  await confirmProtected(connection, intent, options, terminal);
  return interruptible(terminal, async (signal) => {
    const applied = await applyVersion({ client, output, waitMs: options.wait * 1_000, signal }, draft);
    const undo = undoOf(draft, options);
    const text = [...plan, ...appliedText(applied, done, undo, output)];
    output.result({ text, schema, json: { ...json, stored: true, ...applied, undo } });
    return outcomeOf(applied, signal);
  });
}
