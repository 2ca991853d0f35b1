import { unescape } from "node:querystring";
import { shellWord } from "../frame/shell-word.ts";

/**
 * What the server says for programs over HTTP, and what leads on at a terminal. `<id>` stands for the segment
 * of the path, as a word of a shell, and `<key>` for the form of a key.
 */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [
    /Send the header Authorization: Bearer <API key>\./,
    "Set SVC_API_KEY or SVC_API_KEY_FILE, or choose a context: svc-cli context list.",
  ],
  [
    /The header Authorization does not hold an API key\. Send Authorization: Bearer (\S+)\./,
    "What was sent is not an API key: one has the form <key>. Look at SVC_API_KEY, SVC_API_KEY_FILE or the " +
      "context.",
  ],
  [/GET policies\/(\S+)\/versions lists its versions/, "svc-cli policies versions <id> lists its versions"],
  [/GET policies lists them/, "svc-cli policies list shows them"],
  [
    /GET kill-switch lists them: send the kill_switch_id, which begins with ks_/,
    "svc-cli kill list shows them: an id begins with ks_",
  ],
  [/GET webhooks lists them/, "svc-cli webhooks list shows them"],
  [/GET approvals lists yours/, "svc-cli approvals list shows them"],
  [/GET approvals\/(\S+) reads an approval/, "svc-cli approvals show <id> reads an approval"],
  [/GET audit lists the rows/, "svc-cli audit tail lists the rows"],
  [/POST policies\/(\S+)\/enable\b/, 'svc-cli policies enable <id> --reason "..."'],
  [
    /with POST agents\/(\S+)\/adopt, any other one with POST agents\./,
    "with svc-cli agents register <id>, any other one with " +
      "svc-cli agents register <id> --namespace <namespace>.",
  ],
  [/POST agents\/(\S+)\/reregister\b/, 'svc-cli agents reregister <id> --reason "..."'],
  [
    /Another key must resolve the approval\./,
    "Another key must resolve the approval: name its context with --context.",
  ],
];

/** A sentence of the server with the commands in place of the requests. */
export function inCommands(text: string): string {
  return WORDS.reduce(
    (said, [pattern, words]) =>
      said.replace(pattern, (_, found: unknown) =>
        typeof found === "string"
          ? words.replaceAll(/<id>|<key>/g, (place) => (place === "<key>" ? found : wordOf(found)))
          : words,
      ),
    text,
  );
}

/** The server percent-encodes the segments of its paths. Another sentence may hold any percent sign. */
function wordOf(segment: string): string {
  return shellWord(unescape(segment));
}
