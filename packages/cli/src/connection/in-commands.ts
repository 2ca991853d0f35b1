/** What the server says for programs over HTTP, and what leads on at a terminal. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [
    /Send the header Authorization: Bearer <API key>\./,
    "Set SVC_API_KEY or SVC_API_KEY_FILE, or choose a context: svc-cli context list.",
  ],
  [
    /The header Authorization does not hold an API key\. Send Authorization: Bearer (\S+)\./,
    "What was sent is not an API key: one has the form $1. Look at SVC_API_KEY, SVC_API_KEY_FILE or the " +
      "context.",
  ],
  [/GET policies\/(\S+)\/versions lists its versions/, "svc-cli policies versions $1 lists its versions"],
  [/GET policies lists them/, "svc-cli policies list shows them"],
  [
    /GET kill-switch lists them: send the kill_switch_id, which begins with ks_/,
    "svc-cli kill list shows them: an id begins with ks_",
  ],
  [/GET approvals lists yours/, "svc-cli approvals list shows them"],
  [/GET approvals\/(\S+) reads an approval/, "svc-cli approvals show $1 reads an approval"],
  [/GET audit lists the rows/, "svc-cli audit tail lists the rows"],
  [/POST policies\/(\S+)\/enable\b/, 'svc-cli policies enable $1 --reason "..."'],
  [
    /with POST agents\/(\S+)\/adopt, any other one with POST agents\./,
    "with svc-cli agents register $1, any other one with svc-cli agents register $1 --namespace <namespace>.",
  ],
  [/POST agents\/(\S+)\/reregister\b/, 'svc-cli agents reregister $1 --reason "..."'],
  [
    /Another key must resolve the approval\./,
    "Another key must resolve the approval: name its context with --context.",
  ],
];

/** A sentence of the server with the commands in place of the requests. */
export function inCommands(text: string): string {
  return WORDS.reduce((said, [pattern, words]) => said.replace(pattern, words), text);
}
