// long: it starts two servers
import { expect, it } from "vitest";
import { CLI_ENTRY } from "../support/cli/cli-entry.ts";
import { withCliKey } from "../support/cli/cli-key.ts";
import { startAtTerminal } from "../support/processes/start-at-terminal.ts";
import { createPolicy, execute } from "../support/server/api.ts";
import { serverOfTest } from "../support/server/server-process.ts";

const TIMEOUT_MS = 60_000;
const WITHIN = { timeout: 20_000 };

const LEAVE_SCREEN = "\u001b[?1049l";

// proves CLI-90, CLI-91
it.each([
  { args: ["top", "-w"], row: /^agent-1 +0\.2 +1 +0 +0 +0 +1 +\S+/m },
  { args: ["agents", "watch"], row: /^agent-1 .* 0\.2 +1 +0 +0 +0 +1 /m },
])(
  "svc-cli $args shows the calls as they come, and the last ones while the server is away",
  {
    timeout: TIMEOUT_MS,
  },
  async ({ args, row }) => {
    const server = await serverOfTest();
    await createPolicy(server.url);
    const env = await withCliKey(args, {
      XDG_CONFIG_HOME: "/none",
      SVC_URL: server.url,
      TERM: "xterm",
      NO_COLOR: "1",
    });
    const ready = { line: args[0] === "top" ? /no agent called/ : /no agents|AGENT/ };
    const watch = await startAtTerminal([process.execPath, CLI_ENTRY, ...args], { env, ready });
    await execute(server.url);
    await expect.poll(() => plain(watch.output()), WITHIN).toMatch(row);
    expect(await server.stop("SIGKILL")).toBeNull();
    await expect.poll(() => watch.output(), WITHIN).toContain("THE SERVER IS AWAY");
    watch.signal("SIGINT");
    expect(await watch.exited).toBe(130);
    const [, left = ""] = watch.output().split(LEAVE_SCREEN);
    expect(plain(left)).toMatch(row);
  },
);

/** The text of the lines, without what places them. */
function plain(shown: string): string {
  return shown.replaceAll("\u001b[K", "").replaceAll("\u001b[H", "").replaceAll("\u001b[?7l", "");
}
