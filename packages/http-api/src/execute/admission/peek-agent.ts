const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACE = 0x7d;
const CLOSE_BRACKET = 0x5d;
const COLON = 0x3a;

/** The key as it appears in a body, without its quotes. */
const AGENT_KEY = "agent_id";

/**
 * Finds the outermost `agent_id` in the bytes of a request that is not parsed yet; null when it is not found.
 * In every body that the strict parser accepts, a found value is the one that the parser reads, and a value
 * is found unless the key or the value has an escape. The value only decides whose turn the body takes. One
 * pass over the bytes.
 */
export function peekAgent(body: Buffer): string | null {
  let depth = 0;
  for (let at = 0; at < body.length; at += 1) {
    switch (body[at]) {
      case OPEN_BRACE:
      case OPEN_BRACKET:
        depth += 1;
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        depth -= 1;
        break;
      case QUOTE: {
        const end = endOfString(body, at);
        if (end === -1) return null;
        const value = depth === 1 && isAgentKey(body, at, end) ? stringAfterColon(body, end + 1) : undefined;
        if (value !== undefined) return value;
        at = end;
        break;
      }
      default:
    }
  }
  return null;
}

/** The offset of the closing quote of the string that begins at `start`; -1 when it has none. */
function endOfString(body: Buffer, start: number): number {
  let end = body.indexOf(QUOTE, start + 1);
  while (end !== -1 && isEscaped(body, start, end)) end = body.indexOf(QUOTE, end + 1);
  return end;
}

/** Whether an odd number of backslashes stands before the quote. */
function isEscaped(body: Buffer, start: number, quote: number): boolean {
  let at = quote - 1;
  while (at > start && body[at] === BACKSLASH) at -= 1;
  return (quote - 1 - at) % 2 === 1;
}

function isAgentKey(body: Buffer, start: number, end: number): boolean {
  return end - start - 1 === AGENT_KEY.length && body.toString("latin1", start + 1, end) === AGENT_KEY;
}

/**
 * The string after a colon; null when the value is not a plain string; undefined when no colon follows, so
 * that the string before was not a key.
 */
function stringAfterColon(body: Buffer, from: number): string | null | undefined {
  const colon = skipSpace(body, from);
  if (body[colon] !== COLON) return undefined;
  const start = skipSpace(body, colon + 1);
  if (body[start] !== QUOTE) return null;
  const end = endOfString(body, start);
  const text = end === -1 ? null : body.toString("latin1", start + 1, end);
  return text?.includes("\\") === false ? text : null;
}

function skipSpace(body: Buffer, from: number): number {
  let at = from;
  while (body[at] === 0x20 || body[at] === 0x0a || body[at] === 0x0d || body[at] === 0x09) at += 1;
  return at;
}
