import { escapeHtml } from "@svc/text/escape-html";
import type { Message } from "./notice.ts";
import { plainText } from "./plain-text.ts";

export interface Mail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Characters of a subject: mail programs show fewer. */
const MAX_SUBJECT = 150;

/** Characters of the value of a fact. */
const MAX_VALUE = 500;

/** One line of a mail: the same for both of its forms. */
type Line =
  | { readonly kind: "heading" | "paragraph"; readonly text: string }
  | { readonly kind: "fact"; readonly name: string; readonly text: string }
  | { readonly kind: "link"; readonly text: string; readonly url: string };

export function renderMail(message: Message): Mail {
  const { org, title, state } = message.notice;
  const lines = linesOf(message);
  const subject = plainText(`[Svc ${org}] ${state === "ended" ? "Ended: " : ""}${title}`, MAX_SUBJECT);
  return { subject, text: lines.map(asText).join("\n"), html: `${lines.map(asHtml).join("\n")}\n` };
}

function linesOf({ notice, count }: Message): readonly Line[] {
  const { title, facts, consequence, link, at } = notice;
  const more = count > 1 ? `The newest of ${String(count)} such events. ` : "";
  return [
    { kind: "heading", text: plainText(title, MAX_VALUE) },
    ...[["time", at] as const, ...facts].map(
      ([name, value]): Line => ({ kind: "fact", name, text: plainText(value, MAX_VALUE) }),
    ),
    { kind: "paragraph", text: `${more}${consequence}` },
    { kind: "link", ...link },
  ];
}

function asText(line: Line): string {
  switch (line.kind) {
    case "heading":
      return `${line.text}\n`;
    case "fact":
      return `${line.name}: ${line.text}`;
    case "paragraph":
      return `\n${line.text}\n`;
    case "link":
      return `${line.text}: ${line.url}\n`;
    default:
      return line satisfies never;
  }
}

function asHtml(line: Line): string {
  switch (line.kind) {
    case "heading":
      return `<h3>${escapeHtml(line.text)}</h3>`;
    case "fact":
      return `<div><b>${escapeHtml(line.name)}:</b> ${escapeHtml(line.text)}</div>`;
    case "paragraph":
      return `<p>${escapeHtml(line.text)}</p>`;
    case "link":
      return `<p><a href="${escapeHtml(line.url)}">${escapeHtml(line.text)}</a></p>`;
    default:
      return line satisfies never;
  }
}
