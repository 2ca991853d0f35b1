// long: it compiles Open Policy Agent
import { expect, it } from "vitest";
import { runCaptured } from "../testing/run-captured.ts";

async function findingsOf(policy: string): Promise<unknown> {
  const { out, error } = await runCaptured(["validate", "-", "-o", "json"], { stdin: policy });
  expect(error).toBe("");
  const { files } = JSON.parse(out) as { files: readonly { readonly diagnostics: unknown }[] };
  return files[0]?.diagnostics;
}

const RULE = 'deny contains "no" if input.tool == "t"';

// proves REGO-07
it.each(["\r", "\u0085", "\u2028", "\u2029", "\v", "\f"])(
  "a rule behind a comment that ends with %j is refused at its place, and taken behind a line feed",
  async (end) => {
    const policyOf = (ending: string): string =>
      JSON.stringify({
        id: "p",
        tools: { allowed: ["t"] },
        rego: `package p\n${RULE}\n# more${ending}${RULE} == 1`,
      });
    const policy = policyOf(end);
    const column = policy.indexOf("# more") + "# more".length + 1;
    expect(await findingsOf(policy)).toMatchObject([
      { code: "rego/hidden-line-end", severity: "error", line: 1, column, pointer: "/rego" },
    ]);
    expect(await findingsOf(policyOf("\n"))).not.toMatchObject([{ code: "rego/hidden-line-end" }]);
  },
);

// proves REGO-07
it("a block is refused at the line and column of the character", async () => {
  const rego = `rego: |\n  package p\n  ${RULE}\n  # more\u2028deny contains "y"\n`;
  expect(await findingsOf(`id: p\ntools: {allowed: [t]}\n${rego}`)).toMatchObject([
    { code: "rego/hidden-line-end", line: 6, column: 9, found: "U+2028" },
  ]);
});
