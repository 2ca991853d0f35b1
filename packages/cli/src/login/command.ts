import { Command } from "commander";
import { withAddress, withServer } from "../connection/server-options.ts";
import { examples } from "../frame/examples.ts";
import type { Exit } from "../frame/exit-code.ts";
import { withOutput } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { LoginOptions } from "./log-in.ts";
import type { LogoutOptions, WhoAmIOptions } from "./log-out.ts";

/** `svc-cli login`. */
export function loginCommand(terminal: Terminal, exit: Exit): Command {
  return withOutput(withAddress(new Command("login")))
    .description("sign in with the provider of the server, in your browser")
    .option(
      "--as <name>",
      "the context that gets the login (default: the one that names the server, else login)",
    )
    .addHelpText(
      "before",
      examples("svc-cli login --url https://svc.example", "svc-cli login --context prod"),
    )
    .addHelpText("after", HELP)
    .action(async (options: LoginOptions) => {
      const { logIn } = await import("./log-in.ts");
      exit(await logIn(options, terminal));
    });
}

/** `svc-cli logout`. */
export function logoutCommand(terminal: Terminal, exit: Exit): Command {
  return withOutput(withServer(new Command("logout")))
    .description("end the login of svc-cli login, or all logins of a person")
    .option("--person <person>", "end all logins of this person, as rows name them; this needs key:write")
    .addHelpText(
      "before",
      examples(
        "svc-cli logout",
        "svc-cli logout --context prod",
        "svc-cli logout --person ada@login.example",
      ),
    )
    .action(async (options: LogoutOptions) => {
      const { logOut } = await import("./log-out.ts");
      exit(await logOut(options, terminal));
    });
}

/** `svc-cli whoami`. */
export function whoAmICommand(terminal: Terminal, exit: Exit): Command {
  return withOutput(withServer(new Command("whoami")))
    .description("say whom the server takes you for, and what you may do")
    .addHelpText("before", examples("svc-cli whoami", "svc-cli whoami -o json"))
    .action(async (options: WhoAmIOptions) => {
      const { whoAmI } = await import("./log-out.ts");
      exit(await whoAmI(options, terminal));
    });
}

const HELP = `
Open the address that it prints in a browser on this machine. The page shows the same code as the
terminal. The key of the login goes to a file of mode 0600 beside the contexts. It lasts an hour at most.

Exit codes: 0 signed in, 2 wrong usage, 3 no answer, or nobody signed in within 5 minutes`;
