import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const FOLDER = join(import.meta.dirname, "..", "..", "agentcore");

/** What both files name. */
const FUNCTION = "arn:aws:lambda:us-east-1:123456789012:function:svc-agentcore-interceptor";

function shipped(name: string): unknown {
  return JSON.parse(readFileSync(join(FOLDER, name), "utf8"));
}

it("the shipped configuration: requests alone, without headers, and leave to run this one function", () => {
  const [configuration, ...others] = shipped("interceptor-configurations.json") as object[];
  expect(others).toEqual([]);
  expect(configuration).toMatchObject({
    interceptionPoints: ["REQUEST"],
    inputConfiguration: { passRequestHeaders: false },
  });
  expect(shipped("gateway-role-policy.json")).toMatchObject({
    Statement: [{ Effect: "Allow", Action: "lambda:InvokeFunction", Resource: FUNCTION }],
  });
  expect(configuration).toHaveProperty("interceptor.lambda.arn", FUNCTION);
});
