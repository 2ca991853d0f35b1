import { expect, it } from "vitest";
import { devEnvironment } from "./dev-environment.ts";

const SETTINGS = { port: 8080, adapterPort: 9002, dataDir: null, mcpUrl: null, agentId: null };

// proves CLI-70
it("keeps the server on loopback, and gives it no key and no database of the user", () => {
  const environment = {
    PATH: "/bin",
    SVC_LISTEN: "0.0.0.0:80",
    SVC_CHECKGW_LISTEN: "0.0.0.0:81",
    SVC_EXTPROC_METRICS_LISTEN: "0.0.0.0:82",
    SVC_API_KEY: "k",
    SVC_API_KEY_FILE: "/k",
    SVC_BOOTSTRAP_API_KEY_FILE: "/k",
    SVC_DATABASE_URL: "postgres://prod",
    SVC_DATABASE_URL_FILE: "/d",
    SVC_AUTH: "off",
    SVC_ROLE: "control",
    SVC_MCP_DENY_AS: "tool_result",
  };
  expect(devEnvironment({ ...SETTINGS, environment })).toEqual({
    PATH: "/bin",
    SVC_MCP_DENY_AS: "tool_result",
    SVC_LOG_LEVEL: "warn",
    SVC_LOG_FORMAT: "json",
    SVC_MCP_SESSION_FALLBACK: "client",
    SVC_LISTEN: "127.0.0.1:8080",
    SVC_EXTPROC_LISTEN: "127.0.0.1:9002",
    SVC_MCP_LISTEN: "127.0.0.1:9003",
    SVC_CHECKGW_LISTEN: "127.0.0.1:9004",
    SVC_AUTH: "on",
    SVC_DATA_DIR: "",
    SVC_PUBLIC_URL: "http://127.0.0.1:8080",
  });
});
