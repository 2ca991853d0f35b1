import { TRUSTED_PROXIES_VARIABLE } from "@svc/http-edge/connections/trusted-proxies";
import { LOOPBACK_NAMES, parseHostNames } from "@svc/http-edge/host-check";
import { tlsVariables } from "@svc/http-edge/tls/tls-variables";
import type { EnvironmentTable } from "@svc/process/environment-table";
import { LOG_FORMAT_VARIABLE } from "@svc/process/log-format";
import { LOG_LEVEL_VARIABLE } from "@svc/process/log-level";
import { type ListenText, parseBoolean, parseListen } from "@svc/process/parsers";

/** What svc-checkgw reads beside the variables of every adapter. */
export const checkgwEnvironment = {
  SVC_CHECKGW_LISTEN: {
    parse: parseListen,
    fallback: { host: "127.0.0.1", port: 9004 },
    defaultText: "127.0.0.1:9004",
    meaning: "where the forward-auth adapter listens; any client that reaches it speaks as the proxy",
  },
  SVC_CHECKGW_ALLOWED_HOSTS: {
    parse: parseHostNames,
    fallback: LOOPBACK_NAMES,
    defaultText: LOOPBACK_NAMES.join(","),
    meaning:
      "names that Host may carry beside the host of SVC_CHECKGW_LISTEN, each for any port unless it has one",
  },
  SVC_SHAPING_STRICT: {
    parse: parseBoolean,
    fallback: false,
    defaultText: "false",
    meaning:
      "deny a call whose arguments the policy rewrites, instead of allowing it with X-Svc-Shaping-Required",
  },
  SVC_CHECKGW_METRICS_LISTEN: {
    parse: (text: string): ListenText | null => parseListen(text),
    fallback: null,
    defaultText: "none",
    meaning: "where /metrics and /healthz are served over HTTP; by default they are not served",
  },
  ...tlsVariables("SVC_CHECKGW_TLS", "the proxy"),
  SVC_TRUSTED_PROXIES: TRUSTED_PROXIES_VARIABLE,
  SVC_LOG_LEVEL: LOG_LEVEL_VARIABLE,
  SVC_LOG_FORMAT: LOG_FORMAT_VARIABLE,
} satisfies EnvironmentTable;
