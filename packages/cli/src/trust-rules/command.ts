import { listValues } from "@svc/contract/list-values";
import { BINDABLE_ROLES, ROLES } from "@svc/contract/role";
import { Command, InvalidArgumentError, Option } from "commander";
import { withServer } from "../connection/server-options.ts";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import { withOutput } from "../frame/output.ts";
import { parseDuration } from "../frame/parse-options.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { CreateRuleOptions, ListRulesOptions, RemoveRuleOptions } from "./trust-rules.ts";

const CREATE =
  "svc-cli trust-rules create deployments --issuer https://token.actions.githubusercontent.com " +
  "--audience https://svc.example --subject repo:acme/deployments:environment:production --role ci";

/** `svc-cli trust-rules`. */
export function trustRulesCommand(terminal: Terminal, exit: Exit): Command {
  return new Command("trust-rules")
    .description("say which tokens of which issuers get keys of minutes")
    .addHelpText("before", examples("svc-cli trust-rules list", CREATE))
    .addCommand(createCommand(terminal, exit))
    .addCommand(listCommand(terminal, exit))
    .addCommand(removeCommand(terminal, exit));
}

function createCommand(terminal: Terminal, exit: Exit): Command {
  return withOutput(withServer(new Command("create")))
    .description("trust tokens of an issuer")
    .argument("<name>", "what people call the rule")
    .option("--issuer <url>", "the claim iss of the tokens (required)")
    .option("--audience <text>", "a value of the claim aud that names the server (required)")
    .option("--subject <pattern>", "a pattern of the claim sub; * stands for any characters (required)")
    .addOption(new Option("--role <role>", "what the keys may do (required)").choices(ROLES))
    .option("--claim <name=pattern>", "a further claim; may be given several times", addClaim)
    .option("--jwks-uri <url>", "where the keys of the issuer are (default: where its discovery says)")
    .option("--agents <list>", "the only agents that the keys may act for, separated by commas", listValues)
    .option("--namespaces <list>", "the only namespaces that they may act in", listValues)
    .option("--environments <list>", "the claim environment must be one of these", listValues)
    .option("--lifetime <duration>", "how long a key lives, such as 10m (default)", parseDuration)
    .option("--dry-run", "say what would be made, and make nothing", false)
    .option("--yes", "do not ask in a protected environment", false)
    .addHelpText("before", examples(CREATE))
    .addHelpText("after", HELP)
    .action(async (name: string, options: CreateRuleOptions) => {
      const { createTrustRule } = await import("./trust-rules.ts");
      exit(await createTrustRule(name, options, terminal));
    });
}

function listCommand(terminal: Terminal, exit: Exit): Command {
  return withOutput(withServer(new Command("list")))
    .description("list trust rules, the newest first")
    .option("--all", "with those that were removed", false)
    .addHelpText("before", examples("svc-cli trust-rules list", "svc-cli trust-rules list --all -o json"))
    .action(async (options: ListRulesOptions) => {
      const { listTrustRules } = await import("./trust-rules.ts");
      exit(await listTrustRules(options, terminal));
    });
}

function removeCommand(terminal: Terminal, exit: Exit): Command {
  return withOutput(withServer(new Command("remove")))
    .description("trust tokens by this rule no more; its keys end by themselves")
    .argument("<id>", "the rule")
    .option("--dry-run", "say what would be removed, and remove nothing", false)
    .option("--yes", "do not ask in a protected environment", false)
    .addHelpText("before", examples("svc-cli trust-rules remove trust_5c2a9f3e1b7d"))
    .action(async (id: string, options: RemoveRuleOptions) => {
      const { removeTrustRule } = await import("./trust-rules.ts");
      exit(await removeTrustRule(id, options, terminal));
    });
}

function addClaim(text: string, before: Readonly<Record<string, string>> = {}) {
  const [, name, pattern] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  if (name === undefined || pattern === undefined)
    throw new InvalidArgumentError("expected a name, = and a pattern, such as repository_owner=acme.");
  return { ...before, [name]: pattern };
}

const HELP = `
A program exchanges such a token with POST /api/v1/token for a key that lives for --lifetime. A rule
that admits everybody is refused. Roles ${BINDABLE_ROLES.join(", ")} take --agents and --namespaces.`;
