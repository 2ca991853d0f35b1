import { EnvironmentError, readEnvironment } from "@svc/process/read-environment";
import { describe, expect, it } from "vitest";
import { adapterEnvironment, adapterSettings } from "./adapter-environment.ts";

describe("the environment of an adapter", () => {
  // proves ADP-01
  it("has the specified defaults", () => {
    expect(adapterSettings(readEnvironment(adapterEnvironment, {}))).toEqual({
      client: { gatewayUrl: new URL("http://localhost:8080"), apiKey: null, orgId: null, timeoutMs: 5_000 },
      heartbeat: "off",
      identity: { agentId: null, namespace: null },
    });
  });

  it("reads every variable, the key also from a file with a line break at its end", () => {
    const env = {
      SVC_GATEWAY_URL: "https://gateway.example/svc",
      SVC_API_KEY_FILE: "/run/secrets/key",
      SVC_ORG_ID: "org-1",
      SVC_DECISION_TIMEOUT_MS: "50",
      SVC_AGENT_ID: "agent-1",
      SVC_NAMESPACE: "ns",
      SVC_HEARTBEAT: "on",
    };
    const values = readEnvironment(adapterEnvironment, env, () => "svc_id_secret\n");
    expect(adapterSettings(values)).toEqual({
      client: {
        gatewayUrl: new URL("https://gateway.example/svc"),
        apiKey: "svc_id_secret",
        orgId: "org-1",
        timeoutMs: 50,
      },
      heartbeat: "on",
      identity: { agentId: "agent-1", namespace: "ns" },
    });
  });

  const malformed: readonly (readonly [string, string])[] = [
    ["SVC_HEARTBEAT", "true"],
    ["SVC_GATEWAY_URL", "localhost:8080"],
    ["SVC_GATEWAY_URL", "ftp://gateway.example"],
    ["SVC_API_KEY", "secret\r\nx-svc-org-id: other"],
    ["SVC_API_KEY", "se cret"],
    ["SVC_ORG_ID", "org one"],
    ["SVC_DECISION_TIMEOUT_MS", "49"],
    ["SVC_DECISION_TIMEOUT_MS", "60001"],
    ["SVC_DECISION_TIMEOUT_MS", "5s"],
    ["SVC_AGENT_ID", "*"],
    ["SVC_NAMESPACE", "ns\n"],
  ];
  it.each(malformed)("a malformed %s stops the start, naming it: %j", (name, text) => {
    const reading = (): unknown => readEnvironment(adapterEnvironment, { [name]: text });
    expect(reading).toThrow(EnvironmentError);
    expect(reading).toThrow(name);
    expect(reading).not.toThrow(/secret/);
  });
});
