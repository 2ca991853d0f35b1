import { trustRuleRoutes } from "@svc/api/trust-rule-routes";
import { describe, expect, it } from "vitest";
import { runCaptured } from "../testing/run-captured.ts";
import { scriptedServer } from "../testing/scripted-server.suite.ts";

const RULE = trustRuleRoutes.getTrustRule.answers[200].example;

const CREATE = ["trust-rules", "create", "deployments", "--issuer", RULE.issuer, "--audience", "svc"].concat(
  ["--subject", RULE.subject, "--claim", "repository_owner=acme", "--claim", "ref=refs/heads/*"],
  ["--role", "ci", "--lifetime", "5m"],
);

describe("svc-cli trust-rules", () => {
  it("makes a rule of its options, and shows whom else it admits", async () => {
    let sent = "";
    const url = await scriptedServer((request, response) => {
      request.on("data", (piece: Buffer) => (sent += String(piece)));
      request.on("end", () => {
        response.writeHead(201, { "content-type": "application/json" });
        response.end(JSON.stringify({ ...RULE, warnings: ["any branch"] }));
      });
    });
    const { exitCode, out, error } = await runCaptured([...CREATE, "--url", url]);
    expect([exitCode, error]).toEqual([0, "warning: any branch\n"]);
    expect(out).toContain(`svc-cli trust-rules remove ${RULE.id}`);
    expect(JSON.parse(sent)).toMatchObject({
      claims: { repository_owner: "acme", ref: "refs/heads/*" },
      lifetime_seconds: 300,
      agents: null,
    });
  });

  it("asks for what is missing before it asks the server", async () => {
    const { exitCode, error } = await runCaptured(["trust-rules", "create", "x", "--issuer", "https://i"]);
    expect([exitCode, error]).toEqual([2, expect.stringContaining("--audience: expected a value") as string]);
  });
});
