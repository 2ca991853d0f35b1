/** Names lists of a policy in a sentence. */
export function listsText(names: readonly string[]): string {
  return `${names.length === 1 ? "the list" : "the lists"} ${names.join(", ")}`;
}
