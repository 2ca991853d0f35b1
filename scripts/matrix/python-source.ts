import { readFileSync } from "node:fs";
import { installFramework, pythonFrameworks } from "../peers/python-frameworks.ts";
import type { MatrixSource } from "./matrix-source.ts";

const ASKED = /Asked\s+for:\s+([^\s=]+)==([0-9][^\s]*?)\.?(\s|$)/;

export const pythonSource: MatrixSource = {
  language: "Python",
  testFile: "e2e/clients/python-frameworks.test.ts",
  suite: "an agent framework in Python",
  peers: ["python-client"],
  frameworks: (age) => pythonFrameworks(age).map(({ name, pins }) => ({ name, release: releaseOf(pins) })),
  install: async (age, names) => {
    for (const framework of pythonFrameworks(age))
      if (names.has(framework.name)) await installFramework(framework);
  },
};

/** Of the first package that the pins were asked for, which is the framework itself. */
function releaseOf(pins: string): string {
  // The sentence may go over two lines of the comment.
  const text = readFileSync(pins, "utf8").replaceAll("\n# ", " ");
  const [, name, version] = ASKED.exec(text) ?? [];
  if (name === undefined || version === undefined)
    throw new Error(`${pins}: expected "Asked for: <name>==<version>"`);
  return `${name} ${version}`;
}
