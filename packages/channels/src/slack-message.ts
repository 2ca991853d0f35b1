import type { Message } from "./notice.ts";
import { plainText } from "./plain-text.ts";

/** Characters of a body. Slack refuses blocks above about 13,200 in all, which it does not document. */
const MAX_LENGTH = 8_000;

/** UTF-16 units of a header of Slack. */
const MAX_TITLE = 150;

/** Characters of a title, the first that makes a header fit: escaping can make five of one. */
const TITLE_LENGTHS = [140, 70, 28] as const;

/** Characters of the value of a fact, the first that makes a body fit: escaping can make six of one. */
const VALUE_LENGTHS = [300, 100, 40] as const;

const ICONS = { critical: "🔴", error: "🟠", warning: "🟡", info: "🔵" } as const;

/**
 * The body for an incoming webhook of Slack, and of what speaks as it does. It shows and links, and has no
 * button: who decides, does so where people sign in.
 */
export function renderSlackMessage(message: Message): string {
  const bodies = VALUE_LENGTHS.map((length) => JSON.stringify(contentOf(message, length)));
  const body = bodies.find(({ length }) => length < MAX_LENGTH);
  if (body === undefined) throw new RangeError(`the shortest body has ${String(MAX_LENGTH)} characters`);
  return body;
}

function contentOf({ notice, count }: Message, valueLength: number) {
  const { state, level, title, facts, consequence, link, at } = notice;
  const icon = state === "ended" ? "🟢" : ICONS[level];
  const headline = headlineOf(`${icon} ${title}`);
  const more = count > 1 ? `The newest of ${String(count)} such events. ` : "";
  return {
    text: headline,
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      { type: "header", text: shown(headline) },
      {
        type: "section",
        fields: [["time", at] as const, ...facts].map(([name, value]) =>
          shown(escaped(`${name}: ${plainText(value, valueLength)}`)),
        ),
      },
      { type: "section", text: shown(escaped(`${more}${consequence}`)) },
      { type: "section", text: { type: "mrkdwn", text: `<${escaped(link.url)}|${link.text}>` } },
    ],
  };
}

function headlineOf(title: string): string {
  const headlines = TITLE_LENGTHS.map((length) => escaped(plainText(title, length)));
  return headlines.find(({ length }) => length <= MAX_TITLE) ?? "";
}

/** Escaped text in which nothing is a mention, a link or an emoji. */
function shown(text: string) {
  return { type: "plain_text", text, emoji: false };
}

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

function escaped(text: string): string {
  return text.replaceAll(/[&<>]/g, (character) => ESCAPES[character] ?? "");
}
