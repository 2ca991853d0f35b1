import { excerpt } from "@svc/text/excerpt";

/** Longest part of a path in a log line, in characters. The sender chooses the path. */
const PATH_LENGTH = 128;

/** An API key that somebody put into a path by mistake. */
const API_KEY = /svc_([a-z0-9]{4,32})_[A-Za-z0-9]+/g;

/** The path of a request as a log line may show it: without its query, and without the secret of a key. */
export function loggedPath(url: string): string {
  const path = url.split("?", 1)[0] ?? "";
  return excerpt(path.replaceAll(API_KEY, "svc_$1_(masked)"), PATH_LENGTH);
}
