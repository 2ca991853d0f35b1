/** Whether only this machine reaches a host, given as in an address to listen on or in a URL. */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|\[?::1\]?|127(?:\.\d{1,3}){3})$/.test(host);
}
