#!/usr/bin/env node
import { blockByDefault } from "./hook/block-by-default.ts";

// A coding agent starts this program before every tool call, so a hook loads nothing of the other commands.
// A hook that fails while it loads must block, too.
const [command, client, ...args] = process.argv.slice(2);
if (command === "hook" && client === "claude-code") {
  const isAfterTheCall = args.includes("--report");
  const ending = blockByDefault(isAfterTheCall ? "The call is over." : "The call was blocked.");
  import("./hook/claude-code/run-hook.ts").then(({ runHook }) => runHook(args, ending), ending.fail);
} else await import("./cli-process.ts");
