import type { MailParts, MailSender } from "./mail-sender.ts";

/** Loads the client for mail with the first mail: most servers send none. */
export function lazyMailSender(parts: MailParts): MailSender {
  let opening: Promise<MailSender> | null = null;
  const open = async (): Promise<MailSender> => {
    const { createMailSender } = await import("./mail-sender.ts");
    return createMailSender(parts);
  };
  return { send: async (to, mail) => (await (opening ??= open())).send(to, mail) };
}
