import { MAX_BODY_BYTES } from "@svc/text/limits";

/** Bytes for the fields around the arguments. */
const ENVELOPE_BYTES = 200;

const ROOM = MAX_BODY_BYTES - ENVELOPE_BYTES;

/** Largest bodies by what is hard about them: reading, canonicalising, searching or writing them. */
export function largeBodies(agentId: string, tool: string): ReadonlyMap<string, Buffer> {
  const body = (args: string): Buffer =>
    Buffer.from(`{"agent_id":"${agentId}","tool":"${tool}","args":${args}}`);
  return new Map([
    ["plain text", body(`{"t":"${repeated("lorem ipsum ")}"}`)],
    ["digits", body(`{"t":"${repeated("5 ")}"}`)],
    ["text like IBANs", body(`{"t":"${repeated("de12 ")}"}`)],
    ["numbers", body(`{"t":[${repeated("10,")}1]}`)],
    ["keys", body(manyKeys())],
  ]);
}

function repeated(text: string): string {
  return text.repeat(Math.floor(ROOM / text.length) - 1);
}

function manyKeys(): string {
  const members: string[] = [];
  for (let at = 0, length = 0; length < ROOM - ENVELOPE_BYTES; at += 1) {
    const member = `"k${at.toString(36)}":1`;
    members.push(member);
    length += member.length + 1;
  }
  return `{${members.join(",")}}`;
}
