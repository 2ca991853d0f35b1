/** The id of an approval: the text itself, or the end of its URL. */
export function approvalIdOf(text: string): string {
  return text.slice(text.lastIndexOf("/") + 1);
}
