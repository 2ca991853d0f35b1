import type { DrillName } from "@svc/drill/drill-report";
import { Command, InvalidArgumentError } from "commander";
import { withServer } from "../connection/server-options.ts";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import { withOutput } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { VerifyReportOptions } from "./report-file.ts";
import type { DrillOptions } from "./run-drill.ts";

const SUMMARIES: Readonly<Record<DrillName, string>> = {
  kill: "activate every kind of kill switch, and time how long each gateway lets calls go on",
  partition: "cut a gateway off its database, one way, both ways and flapping",
  crash: "kill and pause gateways and the leader, then look for every acknowledged row",
  "slow-database": "delay the database by 50, 500 and 5,000 ms",
};

/** `svc-cli drill`. Breaks a cluster that it starts, or asks a deployment that the user names. */
export function drillCommand(terminal: Terminal, exit: Exit): Command {
  const drill = new Command("drill")
    .description("break a cluster on purpose, and measure that it fails closed")
    .addHelpText("before", EXAMPLES);
  for (const name of Object.keys(SUMMARIES) as DrillName[]) drill.addCommand(oneDrill(name, terminal, exit));
  return drill.addCommand(verifyCommand(terminal, exit));
}

const EXAMPLES = examples(
  "svc-cli drill kill",
  "svc-cli drill partition --gateways 5 --report partition.note",
  "svc-cli drill verify partition.note --public-key drill-key.txt",
  "svc-cli drill kill --url https://svc.example --gateway-url https://gw-1.example",
);

function oneDrill(name: DrillName, terminal: Terminal, exit: Exit): Command {
  return withOutput(withServer(new Command(name)))
    .description(SUMMARIES[name])
    .option("--gateways <count>", "gateways of the cluster that the drill starts, 2 to 9", count(2, 9), 3)
    .option("--target-ms <ms>", "time in which a kill must reach every gateway", count(1, 60_000), 100)
    .option("--time-limit <seconds>", "the drill ends by then, with what it measured", count(10, 3_600), 300)
    .option(
      "--database-url [url]",
      "use this PostgreSQL, in a database that the drill makes and removes; without an address the one in " +
        "SVC_DATABASE_URL or SVC_DATABASE_URL_FILE",
    )
    .option("--server <file>", "the svc-server to drill; by default the one built beside svc-cli")
    .option("--gateway-url <url...>", "addresses of its gateways; by default the one of --url")
    .option("--yes", "do not ask before a deployment is drilled", false)
    .option("--sign-key <file>", "sign the report with this Ed25519 key (PEM); by default with a new one")
    .option("--report <file>", "where the signed report goes; by default drill-<name>-<time>.note")
    .addHelpText(
      "before",
      examples(`svc-cli drill ${name}`, `svc-cli drill ${name} --gateways 5 --report ${name}.note`),
    )
    .addHelpText("after", HELP)
    .action(async (options: DrillOptions) => {
      const { runDrill } = await import("./run-drill.ts");
      exit(await runDrill(name, options, terminal));
    });
}

const HELP = `
Exit codes: 0 every check passed, 1 a check failed, 2 wrong usage, 3 the cluster or the deployment cannot be
used, 4 the key is refused, 5 no check failed, but not everything could be measured, 130 interrupted
docs/DRILLS.md explains every check.`;

function count(fewest: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^[0-9]+$/.test(text) || value < fewest || value > most)
      throw new InvalidArgumentError(`expected a whole number from ${fewest} to ${most}.`);
    return value;
  };
}

/** `svc-cli drill verify`. Needs no server. */
function verifyCommand(terminal: Terminal, exit: Exit): Command {
  return withOutput(new Command("verify"))
    .description("verify the signature of a drill's report, and show the report")
    .argument("<file>", "the report that a drill wrote")
    .requiredOption("--public-key <file|text>", "the key that must have signed it")
    .addHelpText("before", examples("svc-cli drill verify drill-kill.note --public-key drill-key.txt"))
    .addHelpText(
      "after",
      "\nExit codes: 0 the signature is right, 1 it is not, 2 wrong usage, 5 no given key signed it",
    )
    .action(async (file: string, options: VerifyReportOptions) => {
      const { verifyReport } = await import("./report-file.ts");
      exit(await verifyReport(file, options, terminal));
    });
}
