const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  "`": "&#96;",
};

/** A text as it stands in HTML, so that it can only ever be text, also within an attribute. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"'`]/g, (character) => ESCAPES[character] ?? "");
}
