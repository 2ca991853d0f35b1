import { TRUSTED_PROXIES_VARIABLE } from "@svc/http-edge/connections/trusted-proxies";
import { LOOPBACK_NAMES, parseHostNames } from "@svc/http-edge/host-check";
import { tlsVariables } from "@svc/http-edge/tls/tls-variables";
import type { EnvironmentTable } from "@svc/process/environment-table";
import { LOG_FORMAT_VARIABLE } from "@svc/process/log-format";
import { LOG_LEVEL_VARIABLE } from "@svc/process/log-level";
import { type ListenText, parseListen, parseOneOf, parseText } from "@svc/process/parsers";

/** Body modes that can be assumed of a proxy that does not say which one it uses. */
const ASSUMABLE_MODES = ["BUFFERED", "STREAMED", "FULL_DUPLEX_STREAMED"] as const;

/** What svc-extproc reads beside the variables of every adapter. */
export const extprocEnvironment = {
  SVC_EXTPROC_LISTEN: {
    parse: parseListen,
    fallback: { host: "127.0.0.1", port: 9002 },
    defaultText: "127.0.0.1:9002",
    meaning:
      "where the processor listens, gRPC; without mutual TLS any client that reaches it speaks as the proxy",
  },
  SVC_EXTPROC_CONFIG: {
    parse: (text: string): string | null => parseText(text),
    fallback: null,
    defaultText: "none",
    meaning: "file of the route table; by default every POST is judged as MCP, and everything else is denied",
  },
  SVC_EXTPROC_BODY_MODE: {
    parse: parseOneOf(ASSUMABLE_MODES),
    fallback: ASSUMABLE_MODES[0],
    defaultText: "BUFFERED",
    meaning:
      "body mode of a proxy that does not say which it uses; must equal the mode configured in the proxy",
  },
  SVC_EXTPROC_METRICS_LISTEN: {
    parse: (text: string): ListenText | null => parseListen(text),
    fallback: null,
    defaultText: "none",
    meaning: "where /metrics and /healthz are served over HTTP; by default they are not served",
  },
  SVC_EXTPROC_ALLOWED_HOSTS: {
    parse: parseHostNames,
    fallback: LOOPBACK_NAMES,
    defaultText: LOOPBACK_NAMES.join(","),
    meaning: "names that Host may carry at SVC_EXTPROC_METRICS_LISTEN, each for any port unless it has one",
  },
  ...tlsVariables("SVC_EXTPROC_TLS", "the proxy"),
  SVC_TRUSTED_PROXIES: TRUSTED_PROXIES_VARIABLE,
  SVC_LOG_LEVEL: LOG_LEVEL_VARIABLE,
  SVC_LOG_FORMAT: LOG_FORMAT_VARIABLE,
} satisfies EnvironmentTable;
