/** Characters of arguments on one line: more would push the reason off the screen. */
const MAX_LENGTH = 120;

/** The arguments of a call on one line, as the log has them, cut where they are long. Empty: it has none. */
export function argumentsText(args: unknown): string {
  if (typeof args !== "object" || args === null || Object.keys(args).length === 0) return "";
  const text = JSON.stringify(args);
  return text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH - 3)}...`;
}
