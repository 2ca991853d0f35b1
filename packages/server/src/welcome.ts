export interface WelcomeFacts {
  readonly url: string;
  readonly checkgwUrl: string;
  readonly dataDir: string;
  /** Whether the demonstration policy was loaded by this start. */
  readonly demo: boolean;
}

/** What a newcomer sees: where things are, and three lines to copy. */
export function welcome({ url, checkgwUrl, dataDir, demo }: WelcomeFacts): string {
  const lines = [
    `gateway and control endpoints  ${url}`,
    `svc-checkgw (forward-auth)     ${checkgwUrl}`,
    `store, keys and checkpoints    ${dataDir}${demo ? "  (demonstration policy loaded)" : ""}`,
    "",
    "a call that is allowed:",
    `  ${post(`${url}/api/v1/gateway/execute`, execute("payments.refund", '{"amount":20}'))}`,
    "a call that is denied:",
    `  ${post(`${url}/api/v1/gateway/execute`, execute("db.drop_table", '{"table":"orders"}'))}`,
    "pull a kill switch (then repeat the first):",
    `  ${post(`${url}/v1/kill-switch`, KILL_SWITCH)}`,
    "",
    "Ctrl-C stops.",
  ];
  return `${lines.join("\n")}\n`;
}

const KILL_SWITCH =
  '{"scope":"agent","target_id":"demo-agent","reason":"drill","activated_by":"me","ttl_seconds":60}';

function execute(tool: string, args: string): string {
  return `{"agent_id":"demo-agent","session_id":"s-1","tool":"${tool}","args":${args}}`;
}

function post(url: string, body: string): string {
  return `curl -s ${url} -H 'content-type: application/json' -d '${body}'`;
}
