import { expect, it } from "vitest";
import type { Terminal } from "../../frame/terminal.ts";
import { installedText } from "./install-texts.ts";

function terminal(environment: Terminal["environment"]): Terminal {
  return {
    environment,
    workingDirectory: "/ana",
    stdin: (async function* () {})(),
    writeOut: () => {},
    writeError: () => {},
    errorIsTerminal: false,
  };
}

// proves CODE-04
it.each([
  [{}, { scope: "user" }, "\n  svc-cli hook status --probe"],
  [{ npm_lifecycle_event: "svc-cli" }, { scope: "user" }, "\n  npm run -s svc-cli -- hook status --probe"],
  [{ npm_command: "exec" }, { scope: "local" }, "\n  npx svc-cli hook status --scope local --probe"],
  [{}, { scope: "user", settings: "my file" }, "\n  svc-cli hook status --settings '/ana/my file' --probe"],
] as const)("says how to try the hook that was installed: %j %j", (environment, choice, says) => {
  expect(installedText(choice, terminal(environment))).toContain(says);
});
