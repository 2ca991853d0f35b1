import { escapeHtml } from "@svc/text/escape-html";

/** Text that is safe inside a page: it was written here, or every value in it was escaped. */
export interface Markup {
  readonly markup: string;
}

type Value = string | number | Markup | readonly Markup[] | null;

/** A piece of a page. Values are escaped, so that they can only ever be text, also within an attribute. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Markup {
  const texts = parts.map((part, at) => part + render(values[at] ?? null));
  return { markup: texts.join("") };
}

function render(value: Value): string {
  if (value === null) return "";
  if (typeof value === "string") return escapeHtml(value);
  if (typeof value === "number") return String(value);
  if ("markup" in value) return value.markup;
  return value.map(({ markup }) => markup).join("");
}
