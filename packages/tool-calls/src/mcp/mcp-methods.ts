/**
 * What happens to a request, by its method. The list is closed: a method that is not in it is refused.
 * `call`: a tool call, always judged. `pass`: passes untouched. `work`: makes the server work; it passes, and
 * strict mode judges it as a tool of its own. `resume`: the same, but it fetches the result of an earlier
 * call, so a kill switch on that call refuses it.
 */
export type MethodTreatment = "call" | "pass" | "work" | "resume";

/** Requests of every revision from 2025-03-26 to 2026-07-28, and of the tasks extension. */
const METHODS: ReadonlyMap<string, MethodTreatment> = new Map([
  ["tools/call", "call"],

  ["initialize", "pass"],
  ["ping", "pass"],
  ["server/discover", "pass"],
  ["tools/list", "pass"],
  ["prompts/list", "pass"],
  ["resources/list", "pass"],
  ["resources/templates/list", "pass"],
  ["resources/unsubscribe", "pass"],
  ["logging/setLevel", "pass"],

  ["resources/read", "work"],
  ["resources/subscribe", "work"],
  ["subscriptions/listen", "work"],
  ["prompts/get", "work"],
  ["completion/complete", "work"],
  ["tasks/list", "work"],
  ["tasks/cancel", "work"],

  ["tasks/get", "resume"],
  ["tasks/result", "resume"],
  ["tasks/update", "resume"],
]);

/** Null for an unknown method, which the caller must refuse. Names are compared byte for byte. */
export function treatmentOf(method: string): MethodTreatment | null {
  return METHODS.get(method) ?? null;
}

/**
 * Whether a method is a notification. A request method without an id is not one, because some servers
 * would run it.
 */
export function isNotification(method: string): boolean {
  return method.startsWith("notifications/");
}

/** Notifications that MCP lets a client send, of every revision and of the tasks extension. */
const KNOWN_NOTIFICATIONS: ReadonlySet<string> = new Set([
  "notifications/initialized",
  "notifications/cancelled",
  "notifications/progress",
  "notifications/roots/list_changed",
  "notifications/tasks/status",
]);

export function isKnownNotification(method: string): boolean {
  return KNOWN_NOTIFICATIONS.has(method);
}

/** The tool name of a method in strict mode: `mcp.resources.read` for `resources/read`. */
export function pseudoTool(method: string): string {
  return `mcp.${method.replaceAll("/", ".")}`;
}
