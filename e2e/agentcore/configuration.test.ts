import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const FOLDER = join(import.meta.dirname, "..", "..", "agentcore");

function shipped(name: string): unknown {
  return JSON.parse(readFileSync(join(FOLDER, name), "utf8"));
}

it("the shipped configuration intercepts requests alone, passes no headers, and may run only this function", () => {
  const [configuration, ...others] = shipped("interceptor-configurations.json") as Record<string, object>[];
  expect(others).toEqual([]);
  expect(configuration).toMatchObject({
    interceptionPoints: ["REQUEST"],
    inputConfiguration: { passRequestHeaders: false },
  });
  const { lambda } = configuration?.["interceptor"] as { lambda: { arn: string } };
  expect(shipped("gateway-role-policy.json")).toMatchObject({
    Statement: [{ Effect: "Allow", Action: "lambda:InvokeFunction", Resource: lambda.arn }],
  });
});
