import { styleText } from "node:util";
import { printable } from "@svc/process/printable";

/** How a piece of text is emphasised on a terminal with colours. */
export type Emphasis = "good" | "bad" | "warning" | "strong" | "dim";

/** A text for people. Commands never write escape sequences themselves, so no input can smuggle one in. */
export type Text = string | readonly Piece[];
export type Piece = string | { readonly text: string; readonly as: Emphasis };

const FORMATS = {
  good: "green",
  bad: "red",
  warning: "yellow",
  strong: "bold",
  dim: "dim",
} as const satisfies Record<Emphasis, string>;

/** Control characters become visible; emphasis becomes colour, or nothing. */
export function renderText(text: Text, withColour: boolean): string {
  const pieces = typeof text === "string" ? [text] : text;
  return pieces
    .map((piece) => {
      if (typeof piece === "string") return printable(piece);
      const shown = printable(piece.text);
      return withColour ? styleText(FORMATS[piece.as], shown, { validateStream: false }) : shown;
    })
    .join("");
}
