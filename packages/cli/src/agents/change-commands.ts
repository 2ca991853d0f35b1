import { Command } from "commander";
import { type ChangeOptions, withChange } from "../connection/change-options.ts";
import { withServer } from "../connection/server-options.ts";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import { withOutput } from "../frame/output.ts";
import { parseDuration } from "../frame/parse-options.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { QuarantineOptions } from "./quarantine.ts";
import type { RegisterOptions, ReregisterOptions, UnregisterOptions } from "./register-agent.ts";

/** `svc-cli agents register`. */
export function registerCommand(terminal: Terminal, exit: Exit): Command {
  return withOutput(withServer(new Command("register")))
    .description("register an agent, so that its calls belong to a namespace")
    .argument("<agent>", "id that its calls name; it never changes")
    .option("--namespace <namespace>", "namespace of its calls (default: that of its latest call)")
    .option("--name <name>", "what people call it (default: the id)")
    .option("--provider <provider>", "who provides the model or the platform")
    .option("--tags <list>", "words for finding agents, separated by commas", listOf)
    .option("--capabilities <list>", "what the agent can do, separated by commas", listOf)
    .option("--parent <agent>", "the registered agent that starts this one")
    .option("--reason <text>", "why, for the audit log")
    .option("--dry-run", "say what would change, and change nothing", false)
    .option("--yes", "do not ask; this command never asks", false)
    .addHelpText("before", REGISTER_EXAMPLES)
    .addHelpText("after", REGISTER_HELP)
    .action(async (id: string, options: RegisterOptions) => {
      const { registerAgent } = await import("./register-agent.ts");
      exit(await registerAgent(id, options, terminal));
    });
}

function listOf(text: string): readonly string[] {
  return text.split(",");
}

const REGISTER_EXAMPLES = examples(
  "svc-cli agents register billing-bot --namespace payments --tags prod",
  'svc-cli agents register seen-bot --reason "it called for weeks"',
);

const REGISTER_HELP = `
Without --namespace it registers an agent that has called or sent heartbeats. Once it is registered, its calls
that name another namespace are denied.

Exit codes: 0 every gateway goes by it, 1 it is registered, or was never seen and --namespace is missing, 2
wrong usage, 3 a gateway has not confirmed, or no answer came, 4 the key may not do this`;

/** `svc-cli agents reregister`. */
export function reregisterCommand(terminal: Terminal, exit: Exit): Command {
  return withChange(new Command("reregister"))
    .description("end the emergency of an agent, so that its sessions may call again")
    .argument("<agent>", "id of the agent")
    .option("--session <session>", "this session alone (default: every terminated session)")
    .option("--end-kill-switch", "also end the kill switches that the detection activated", false)
    .addHelpText("before", REREGISTER_EXAMPLES)
    .addHelpText("after", REREGISTER_HELP)
    .action(async (id: string, options: ReregisterOptions) => {
      const { reregisterAgent } = await import("./register-agent.ts");
      exit(await reregisterAgent(id, options, terminal));
    });
}

const REREGISTER_EXAMPLES = examples(
  'svc-cli agents reregister research-agent --reason "the host was restarted" --end-kill-switch',
  'svc-cli agents reregister research-agent --session run-42 --reason "a false alarm" --dry-run',
);
const REREGISTER_HELP = `
Exit codes: 0 its sessions are not terminated any more, 1 no session of it is, 2 wrong usage, 3 no answer
came, 4 the key may not do this`;

/** `svc-cli agents unregister`. */
export function unregisterCommand(terminal: Terminal, exit: Exit): Command {
  return withOutput(withServer(new Command("unregister")))
    .description("remove the registration of an agent, so that its calls may name any namespace")
    .argument("<agent>", "id of the agent")
    .option("--reason <text>", "why, for the audit log")
    .option("--dry-run", "say what would change, and change nothing", false)
    .option("--yes", "do not ask; this command never asks", false)
    .addHelpText("before", examples('svc-cli agents unregister billing-bot --reason "the project has ended"'))
    .addHelpText("after", UNREGISTER_HELP)
    .action(async (id: string, options: UnregisterOptions) => {
      const { unregisterAgent } = await import("./register-agent.ts");
      exit(await unregisterAgent(id, options, terminal));
    });
}

const UNREGISTER_HELP = `
An agent that is in quarantine, or the parent of others, stays registered.

Exit codes: 0 every gateway goes by it, 1 it is not registered, or must stay registered, 2 wrong usage, 3 a
gateway has not confirmed, or no answer came, 4 the key may not do this`;

/** `svc-cli agents quarantine`. */
export function quarantineCommand(terminal: Terminal, exit: Exit): Command {
  return withChange(new Command("quarantine"))
    .description("hold a registered agent to the tools that its policy calls read-only")
    .argument("<agent>", "id of the agent")
    .option("--ttl <duration>", "the quarantine ends by itself after this time, such as 30m", parseDuration)
    .addHelpText("before", QUARANTINE_EXAMPLES)
    .addHelpText("after", QUARANTINE_HELP)
    .action(async (id: string, options: QuarantineOptions) => {
      const { quarantineAgent } = await import("./quarantine.ts");
      exit(await quarantineAgent(id, options, terminal));
    });
}

const QUARANTINE_EXAMPLES = examples(
  'svc-cli agents quarantine billing-bot --reason "it reads customers that it has no case for"',
  'svc-cli agents quarantine billing-bot --reason "incident 7" --ttl 2h --dry-run',
);
const QUARANTINE_HELP = `
svc-cli kill agent stops every call. docs/ROGUE.md compares the two.

Exit codes: 0 every gateway enforces it, 1 nobody registered the agent, 2 wrong usage, 3 a gateway has not
confirmed, or no answer came, 4 the key may not do this`;

/** `svc-cli agents release`. */
export function releaseCommand(terminal: Terminal, exit: Exit): Command {
  return withChange(new Command("release"))
    .description("lift the quarantine of an agent")
    .argument("<agent>", "id of the agent")
    .addHelpText("before", examples('svc-cli agents release billing-bot --reason "the case was there"'))
    .addHelpText("after", RELEASE_HELP)
    .action(async (id: string, options: ChangeOptions) => {
      const { releaseAgent } = await import("./quarantine.ts");
      exit(await releaseAgent(id, options, terminal));
    });
}

const RELEASE_HELP = `
Exit codes: 0 every gateway lets its calls go on, 1 no such agent, 2 wrong usage, 3 a gateway has not
confirmed, or no answer came, 4 the key may not do this`;
