import { DEFAULT_ROTATION_OVERLAP_SECONDS } from "@svc/contract/limits";
import { listValues } from "@svc/contract/list-values";
import { BINDABLE_ROLES, ROLES } from "@svc/contract/role";
import { Command, InvalidArgumentError, Option } from "commander";
import { type ServerOptions, withServer } from "../connection/server-options.ts";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import { type OutputOptions, withOutput } from "../frame/output.ts";
import { durationSeconds, parseDuration } from "../frame/parse-options.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { CreateOptions, RotateOptions } from "./issue-key.ts";
import type { ListKeysOptions, RevokeOptions } from "./list-keys.ts";

/** `svc-cli keys`. */
export function keysCommand(terminal: Terminal, exit: Exit): Command {
  return new Command("keys")
    .description("make, list, rotate and revoke API keys")
    .addHelpText(
      "before",
      examples(
        'svc-cli keys create "payments agent" --role agent --agents payments-agent --out agent-key',
        "svc-cli keys list",
      ),
    )
    .addCommand(createCommand(terminal, exit))
    .addCommand(listCommand(terminal, exit))
    .addCommand(rotateCommand(terminal, exit))
    .addCommand(revokeCommand(terminal, exit));
}

/** `svc-cli keys create`. */
function createCommand(terminal: Terminal, exit: Exit): Command {
  return withOutput(withServer(new Command("create")))
    .description("make an API key, and put its secret into a file or show it once")
    .argument("<name>", "what people call it")
    .addOption(new Option("--role <role>", "what the key may do (required)").choices(ROLES))
    .option("--out <file>", "a new file for the secret, which only you can read; - writes it alone to stdout")
    .option("--agents <list>", "the only agents that it may act for, separated by commas", listValues)
    .option("--namespaces <list>", "the only namespaces that it may act in", listValues)
    .option(
      "--expires-in <duration>",
      "how long it works, such as 90d (default: until it is revoked)",
      parseDuration,
    )
    .option("--org <org>", "its organization, which only the bootstrap key may choose")
    .option("--dry-run", "say what would be made, and make nothing", false)
    .option("--yes", "do not ask in a protected environment", false)
    .addHelpText("before", CREATE_EXAMPLES)
    .addHelpText("after", CREATE_HELP)
    .action(async (name: string, options: CreateOptions) => {
      const { createKey } = await import("./issue-key.ts");
      exit(await createKey(name, options, terminal));
    });
}

const CREATE_EXAMPLES = examples(
  'svc-cli keys create "payments agent" --role agent --agents payments-agent --out agent-key',
  'svc-cli keys create "Ada, finance" --role approver --expires-in 90d',
  "svc-cli keys create adapters --role adapter --out - > adapter-key",
);

const CREATE_HELP = `
The server stores no secret and shows it this once. The file has the mode 0600 and must not be there before.
Without --out it is shown among the other facts.
Roles ${BINDABLE_ROLES.join(", ")} take --agents and --namespaces.

Exit codes: 0 every gateway accepts it, 1 it is refused, 2 wrong usage, 3 a gateway has not confirmed, or no
answer came, 4 the key may not make this key`;

/** `svc-cli keys list`. */
function listCommand(terminal: Terminal, exit: Exit): Command {
  return withOutput(withServer(new Command("list")))
    .description("list API keys: what each may do, and whether it works. No secret is shown")
    .option("--all", "also those that were revoked or have expired", false)
    .option("--org <org>", "of another organization, which only the bootstrap key may name")
    .addHelpText("before", examples("svc-cli keys list", "svc-cli keys list --all -o json"))
    .addHelpText("after", "\nExit codes: 0, 2 wrong usage, 3 no server answers, 4 the key may not read keys")
    .action(async (options: ListKeysOptions) => {
      const { listKeys } = await import("./list-keys.ts");
      exit(await listKeys(options, terminal));
    });
}

/** `svc-cli keys revoke`. */
function revokeCommand(terminal: Terminal, exit: Exit): Command {
  return withOutput(withServer(new Command("revoke")))
    .description("end an API key for good, at every gateway")
    .argument("<key id>", "id of the key: see svc-cli keys list")
    .option("--dry-run", "say what would change, and change nothing", false)
    .option("--yes", "do not ask in a protected environment", false)
    .addHelpText("before", examples("svc-cli keys revoke 9d41c07be2aa"))
    .addHelpText("after", REVOKE_HELP)
    .action(async (id: string, options: RevokeOptions & ServerOptions & OutputOptions) => {
      const { revokeKey } = await import("./list-keys.ts");
      exit(await revokeKey(id, options, terminal));
    });
}

const REVOKE_HELP = `
Nothing brings the key back. Revoking it again changes nothing.

Exit codes: 0 every gateway refuses it, 1 no such key, 2 wrong usage, 3 a gateway has not confirmed, or no
answer came, 4 the key may not do this`;

const DEFAULT_OVERLAP = `${String(DEFAULT_ROTATION_OVERLAP_SECONDS)}s`;

/** `svc-cli keys rotate`. */
function rotateCommand(terminal: Terminal, exit: Exit): Command {
  return withOutput(withServer(new Command("rotate")))
    .description("give an API key a new secret; its id, its role and its bindings stay")
    .argument("<key id>", "id of the key: see svc-cli keys list")
    .option("--out <file>", "the file for the secret, which is replaced; - writes it alone to stdout")
    .option(
      "--overlap <duration>",
      `how long the earlier secrets go on, such as 1h, or 0 (default: ${DEFAULT_OVERLAP})`,
      parseOverlap,
    )
    .option("--dry-run", "say what would change, and change nothing", false)
    .option("--yes", "do not ask in a protected environment", false)
    .addHelpText("before", ROTATE_EXAMPLES)
    .addHelpText("after", ROTATE_HELP)
    .action(async (id: string, options: RotateOptions) => {
      const { rotateKey } = await import("./issue-key.ts");
      exit(await rotateKey(id, options, terminal));
    });
}

function parseOverlap(text: string): number {
  const seconds = text === "0" ? 0 : durationSeconds(text);
  if (seconds !== null) return seconds;
  throw new InvalidArgumentError("expected 0, or a number and a unit, such as 90s, 30m, 2h or 7d.");
}

const ROTATE_EXAMPLES = examples(
  "svc-cli keys rotate 9d41c07be2aa --out agent-key",
  "svc-cli keys rotate 9d41c07be2aa --overlap 0",
);

const ROTATE_HELP = `
The new secret works at once, and the file changes when it does. A program that read the file before goes on
until the overlap ends.

Exit codes: 0 every gateway accepts it, 1 no such key, or it has ended, 2 wrong usage, 3 a gateway has not
confirmed, or no answer came, 4 the key may not do this`;
