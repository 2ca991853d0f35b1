import { expect, it } from "vitest";
import { everyCommand } from "./testing/every-command.ts";
import { runCaptured } from "./testing/run-captured.ts";

const INTRODUCTION = `# svc-cli

\`svc-cli\` is the command line of the service. \`npm run -s svc-cli -- <command>\` runs it in a
checkout, and [its package](../packages/cli/README.md) anywhere else. Outside a checkout, \`npm run -s\`
ends without a word. This line names the \`svc-cli\` of the current checkout for every folder:

\`\`\`sh
alias svc-cli="npm run -s --prefix '$PWD' svc-cli --"
\`\`\`

This page is made from the help of its commands;
[coding-agents.md](adapters/coding-agents.md) describes those of \`svc-cli hook\`.

## Results

\`-o\` chooses the form of a result: \`pretty\` for people, \`json\`, \`ndjson\` or \`yaml\` for
programs. The last three have a member \`schema\`, such as \`svc.cli.test/v1\`, which changes when
a member changes its meaning. \`validate\` and \`test\` also write \`github\`, \`sarif\`, \`junit\` and
\`tap\`. Results go to stdout, everything else to stderr. A table has columns on a terminal, and
tabs elsewhere. Colours come to a terminal alone; \`--color\`, \`NO_COLOR\`, \`FORCE_COLOR\` and
\`CLICOLOR=0\` change that.

## Servers and keys

A command that asks a server takes its address from \`--url\`, \`--context\` or \`--env\`, then from
\`SVC_URL\`, then from the current context, and else asks http://localhost:8080.

- A context is a server of yours. \`svc-cli context add\` writes it to
  \`$XDG_CONFIG_HOME/svc/contexts.yaml\`, or \`~/.config/svc/contexts.yaml\` without that variable.
  A relative path in XDG_CONFIG_HOME or HOME is ignored.
- An environment stands in \`./svc.yaml\`, beside the policies, and has a \`context\` or a \`url\`. It
  counts only where \`--env\` names it:

\`\`\`yaml
environments:
  prod: { context: prod, protected: true }
\`\`\`

A change of policies of a \`protected\` environment asks for its name to be typed. Scripts pass
\`--yes\`. \`svc-cli context add --protected\` does the same for a context.

The key comes from \`--api-key-stdin\`, then from a context that \`--context\` or \`--env\` names, then
from \`SVC_API_KEY\` or \`SVC_API_KEY_FILE\`, then from the current context. The \`api_key_file\` of a
context must have mode 600, and its key goes to the address of that context alone. So must a file
that a variable such as SVC_API_KEY_FILE names, or it is a secret that a container runtime mounts: a
file of another user, or one that nobody may write. \`svc.yaml\` never names a key.

`;

/** docs/adapters/coding-agents.md describes its commands. */
const OWN_PAGE = "hook";

// proves CLI-30
it("docs/CLI.md has the help of every command", async () => {
  const codes = (await runCaptured(["help", "exit-codes"])).out;
  let page = `${INTRODUCTION}## Exit codes\n\n\`\`\`text\n${codes}\`\`\`\n`;
  for (const { path, words } of everyCommand()) {
    if (words[0] === OWN_PAGE && words.length > 1) continue;
    const { out } = await runCaptured([...words, "--help"]);
    page += `\n## ${path}\n\n\`\`\`text\n${out.trimEnd()}\n\`\`\`\n`;
  }
  await expect(page).toMatchFileSnapshot("../../../docs/CLI.md");
});
