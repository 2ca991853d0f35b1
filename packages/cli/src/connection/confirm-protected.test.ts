import { describe, expect, it } from "vitest";
import { confirmProtected } from "./change-options.ts";

const PROD = { protectedName: "prod", source: "the environment prod" };
const ASKING = { yes: false, dryRun: false };

function terminalOf(answer: string | null) {
  let asked = "";
  const terminal = {
    environment: {},
    workingDirectory: "/",
    stdin: (async function* () {
      yield Buffer.from(`${answer ?? ""}\n`);
    })(),
    inputIsTerminal: answer !== null,
    writeOut: () => undefined,
    writeError: (text: string) => (asked += text),
    errorIsTerminal: false,
  };
  return { terminal, asked: () => asked };
}

describe("confirmProtected", () => {
  // proves CLI-47
  it("asks for the name of a protected environment", async () => {
    const { terminal, asked } = terminalOf("prod");
    await confirmProtected(PROD, "change the policies p", ASKING, terminal);
    expect(asked()).toBe(
      "the environment prod is protected. This will change the policies p. Type prod to go on: ",
    );
  });

  // proves CLI-47
  it.each(["", "yes", "PROD"])("ends with 1 at the answer %j", async (answer) => {
    const confirming = confirmProtected(PROD, "change p", ASKING, terminalOf(answer).terminal);
    await expect(confirming).rejects.toMatchObject({ exitCode: 1 });
  });

  // proves CLI-47
  it("refuses where nobody can be asked", async () => {
    const confirming = confirmProtected(PROD, "change p", ASKING, terminalOf(null).terminal);
    await expect(confirming).rejects.toThrow("nobody can be asked here, so pass --yes");
  });

  // proves CLI-47
  it.each([
    ["--yes", PROD, { yes: true, dryRun: false }],
    ["--dry-run", PROD, { yes: false, dryRun: true }],
    ["another environment", { source: "the environment dev" }, ASKING],
  ])("asks nothing with %s", async (_name, connection, options) => {
    const { terminal, asked } = terminalOf(null);
    await confirmProtected(connection, "change p", options, terminal);
    expect(asked()).toBe("");
  });
});
