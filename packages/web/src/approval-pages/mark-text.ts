import { codePoint } from "@svc/text/code-point";
import { UNSEEN_CHARACTER } from "@svc/text/unseen";
import { html, type Markup } from "./markup.ts";

/** Characters that nobody sees, or that change what others see. A line break is shown as one. */
const HIDDEN = new RegExp(String.raw`((?!\n)${UNSEEN_CHARACTER})`, "u");

/**
 * Marks above and below one letter that hide it, or its neighbours, and marks without a letter, which join
 * what stands before them.
 */
const STACKED = /(\p{M}{3,}|(?<=^|[ \n])\p{M}+)/u;

const WORD = /([\p{L}\p{M}\p{N}]+)/u;

/** Letters of other scripts that look like Latin ones. */
const LOOK_ALIKE = [
  "аеорсухіјѕԁһԛԝӏбгпвкмнтьгАВЕЅІЈКМНОРСТУХҮЗЬ",
  "αοιρντυκχγηωΑΒΕΖΗΙΚΜΝΟΡΤΥΧ",
  "օսոհցզԱՏՕ",
  "ⅼⅰⅴⅹⅽⅾⅿ",
].join("");

const LETTERS = new Set(LOOK_ALIKE);

/**
 * Shows a text so that nothing in it can pass for something else: hidden characters by their code points,
 * words with look-alikes with the code points of these, other characters outside ASCII underlined.
 */
export function markText(text: string): Markup {
  return html`${text.split(HIDDEN).map((part, at) => (at % 2 === 1 ? hidden(part) : visible(part)))}`;
}

/** The same for a text area, which has no markup: a JSON text in which hidden characters are escapes. */
export function escapeHidden(json: string): string {
  return json
    .split(HIDDEN)
    .map((part, at) => (at % 2 === 1 ? jsonEscape(part) : part))
    .join("");
}

function jsonEscape(character: string): string {
  const units = character.split("");
  return units.map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");
}

function visible(text: string): Markup {
  if (isAscii(text)) return html`${text}`;
  return html`${text.split(STACKED).map((part, at) => (at % 2 === 1 ? hidden(part) : words(part)))}`;
}

function words(text: string): Markup {
  return html`${text.split(WORD).map((part, at) => (at % 2 === 1 ? word(part) : plain(part)))}`;
}

function word(text: string): Markup {
  if (!isLookAlike(text)) return plain(text);
  const letters = Array.from(text, (one) => (isAscii(one) ? html`${one}` : labelled(one)));
  return html`<mark title="a look-alike">${letters}</mark>`;
}

/** Whether a reader could take the word for one of other letters. */
function isLookAlike(text: string): boolean {
  if (isAscii(text)) return false;
  if (isAscii(text.normalize("NFKC"))) return true;
  const letters = Array.from(text).filter((one) => /\p{L}/u.test(one));
  const isMixed =
    letters.some((one) => /\p{Script=Latin}/u.test(one)) &&
    letters.some((one) => !/\p{Script=Latin}/u.test(one));
  return isMixed || letters.every((one) => LETTERS.has(one));
}

function isAscii(text: string): boolean {
  return /^[\x20-\x7e\n]*$/.test(text);
}

function plain(text: string): Markup {
  if (isAscii(text)) return html`${text}`;
  const parts = text.split(/([^\x20-\x7e\n]+)/u);
  return html`${parts.map((part, at) => (at % 2 === 1 ? underlined(part) : html`${part}`))}`;
}

function underlined(text: string): Markup {
  return html`<u title="${points(text)}">${text}</u>`;
}

function labelled(text: string): Markup {
  return html`${text}<b>[${points(text)}]</b>`;
}

function hidden(text: string): Markup {
  return html`<mark title="a hidden character"><b>[${points(text)}]</b></mark>`;
}

function points(text: string): string {
  return Array.from(text, codePoint).join(" ");
}
