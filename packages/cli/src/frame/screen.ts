import { type ColourChoice, isLively, usesColour } from "@svc/process/colour-choice";
import type { Terminal } from "./terminal.ts";
import { renderText, type Text } from "./text.ts";

const ENTER_SCREEN = "\u001b[?1049h";
const LEAVE_SCREEN = "\u001b[?1049l";
const HOME = "\u001b[H";
const CLEAR_LINE = "\u001b[K";
const CLEAR_BELOW = "\u001b[J";
/** While these hold, a long line ends at the edge and takes no second one. */
const NO_WRAP = "\u001b[?7l";
const WRAP = "\u001b[?7h";

/** Lines of a terminal that does not say how many it has. */
const DEFAULT_ROWS = 24;

/**
 * A picture on the terminal that is replaced in place, line by line, in one write. It has a screen of its
 * own, which goes away at the end. The last picture stays.
 */
export class Screen {
  readonly #terminal: Terminal;
  readonly #withColour: boolean;
  #last: Text | null = null;

  constructor(terminal: Terminal, { color }: { readonly color: ColourChoice }) {
    this.#terminal = terminal;
    this.#withColour = usesColour(color, terminal, true);
  }

  /** Whether there is a terminal whose lines can be replaced. */
  static isPossible(terminal: Terminal): boolean {
    return terminal.outIsTerminal === true && isLively(terminal);
  }

  show(text: Text): void {
    // A terminal that does not say how many lines it has says 0.
    const { rows: said = 0 } = this.#terminal.outSize?.() ?? {};
    const rows = said > 0 ? said : DEFAULT_ROWS;
    const lines = renderText(text, this.#withColour).trimEnd().split("\n");
    const left = lines.length - (rows - 1);
    const shown = left > 0 ? [...lines.slice(0, rows - 2), `... ${String(left + 1)} more lines`] : lines;
    const picture = shown.map((line) => `${line}${CLEAR_LINE}\r\n`).join("");
    const enter = this.#last === null ? ENTER_SCREEN : "";
    this.#terminal.writeOut(`${enter}${NO_WRAP}${HOME}${picture}${CLEAR_BELOW}${WRAP}`);
    this.#last = text;
  }

  close(): void {
    if (this.#last === null) return;
    this.#terminal.writeOut(`${LEAVE_SCREEN}${renderText(this.#last, this.#withColour)}`);
    this.#last = null;
  }
}
