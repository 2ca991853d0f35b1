/** The address of a path of the server, which begins with a slash. The path of `base` stays before it. */
export function endpointOf(base: URL, path: string): URL {
  const url = new URL(base);
  url.pathname = `${base.pathname.replace(/\/+$/, "")}${path}`;
  return url;
}
