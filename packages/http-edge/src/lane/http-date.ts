let second = -1;
let text = "";

/** The time of an answer as HTTP spells it, made once a second. */
export function httpDate(): string {
  const now = Math.floor(Date.now() / 1_000);
  if (now !== second) {
    second = now;
    text = new Date(now * 1_000).toUTCString();
  }
  return text;
}
