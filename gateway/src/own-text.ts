import { parseJson } from "@svc/text/parse-json";
/** The same text in memory of its own. A piece of a body would keep the whole body in memory. */
export function ownText(text: string): string {
  return parseJson(JSON.stringify(text)) as string;
}
