/**
 * What happens to a request, by its method. The list is closed: a method that is not in it does not pass.
 * `call`: a tool call, always judged. `pass`: passes untouched. `work`: makes the server work; passes, and is
 * judged as a tool of its own in strict mode. `resume`: the same, and fetches what a call left running, so
 * that a kill refuses it.
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

/** Null: unknown, to be refused. Names are compared byte for byte. */
export function treatmentOf(method: string): MethodTreatment | null {
  return METHODS.get(method) ?? null;
}

/** Messages that ask for nothing. A request without an id is not one of them: some servers would run it. */
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

/** The name that a method is judged by in strict mode: `mcp.resources.read` for `resources/read`. */
export function pseudoTool(method: string): string {
  return `mcp.${method.replaceAll("/", ".")}`;
}
