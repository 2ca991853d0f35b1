import { expect, it } from "vitest";
import { runProgram } from "./run-program.ts";
import { runCaptured } from "./testing/run-captured.ts";

it("prints the same version with and without the other commands", async () => {
  let out = "";
  const exitCode = await runProgram(["version"], {
    environment: {},
    workingDirectory: process.cwd(),
    stdin: (async function* () {})(),
    errorIsTerminal: false,
    writeOut: (text) => (out += text),
    writeError: (text) => expect(text).toBe(""),
  });
  expect(await runCaptured(["version"])).toEqual({ exitCode, out, error: "" });
});
