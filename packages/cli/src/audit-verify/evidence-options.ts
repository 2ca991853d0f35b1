import type { Command } from "commander";
import { withServer } from "../connection/server-options.ts";
import { withOutput } from "../frame/output.ts";

/** Adds the options that say which log is verified, and with which keys. */
export function withEvidence(command: Command): Command {
  return withOutput(withServer(command))
    .option(
      "--file <export>",
      "verify an export (`-` reads stdin) instead of asking a server; needs --public-key",
    )
    .option(
      "--data-dir <dir>",
      "verify the data directory of a server that runs, has ended or was killed; nothing in it is changed",
    )
    .option(
      "--database-url [url]",
      "verify every log of a PostgreSQL database, read-only; without an address the one in " +
        "SVC_DATABASE_URL or SVC_DATABASE_URL_FILE, which may hold a password",
    )
    .option(
      "--public-key <file|text>",
      "trust these public keys, one per line, instead of those the server names",
    )
    .option(
      "--checkpoints <file>",
      "checkpoints kept elsewhere: they reveal rows that were removed together with their checkpoints",
    );
}
