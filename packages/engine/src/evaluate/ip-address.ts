/** A network: the first bits of an address. Plain data. */
export interface Cidr {
  /** 4 or 16 bytes. */
  readonly bytes: readonly number[];
  readonly bits: number;
}

const OCTET = /^(?:0|[1-9][0-9]{0,2})$/;
const GROUP = /^[0-9a-f]{1,4}$/i;

/** Whether some reader takes the name for an IPv4 address: its last label is a number in any notation. */
export function isAddressLike(host: string): boolean {
  return /^(?:[0-9]+|0[xX][0-9A-Fa-f]*)$/.test(host.slice(host.lastIndexOf(".") + 1));
}

/** @returns null when the text is not a network in its one usual spelling. */
export function parseCidr(text: string): Cidr | null {
  const [, address = "", length = ""] = /^([0-9A-Fa-f.:]+)\/(0|[1-9][0-9]{0,2})$/.exec(text) ?? [];
  const bytes = parseIpv4(address) ?? parseIpv6(address);
  const bits = Number(length);
  if (bytes === null || length === "" || bits > bytes.length * 8) return null;
  const hasHostBits = bytes.some((byte, at) => (byte & ~maskOf(bits, at)) !== 0);
  return hasHostBits ? null : { bytes, bits };
}

/**
 * Whether an address, IPv6 in brackets, lies in one of the networks. Null: it is not written in its one usual
 * form, or no network is of its kind.
 */
export function addressWithin(host: string, networks: readonly Cidr[]): boolean | null {
  const bytes = host.startsWith("[") ? parseIpv6(host.slice(1, -1)) : parseIpv4(host);
  if (bytes === null || embedsIpv4(bytes)) return null;
  const isListed = networks.some(
    (network) => network.bytes.length === bytes.length && isWithin(bytes, network),
  );
  // A connection to 0.0.0.0 reaches this machine.
  if (bytes.length === 4 && bytes[0] === 0 && !isListed) return null;
  const ofKind = networks.filter((network) => network.bytes.length === bytes.length);
  return ofKind.length === 0 ? null : isListed;
}

function isWithin(bytes: readonly number[], { bytes: base, bits }: Cidr): boolean {
  return bytes.every((byte, at) => (byte & maskOf(bits, at)) === base[at]);
}

/** The bits of one byte that belong to the network. */
function maskOf(bits: number, at: number): number {
  const ofByte = Math.min(8, Math.max(0, bits - at * 8));
  return (0xff << (8 - ofByte)) & 0xff;
}

function parseIpv4(text: string): readonly number[] | null {
  const parts = text.split(".");
  if (parts.length !== 4 || !parts.every((part) => OCTET.test(part) && Number(part) <= 255)) return null;
  return parts.map(Number);
}

function parseIpv6(text: string): readonly number[] | null {
  const halves = text.split("::");
  if (halves.length > 2) return null;
  const [head = [], tail] = halves.map((half) => (half === "" ? [] : half.split(":")));
  const missing = 8 - head.length - (tail?.length ?? 0);
  if (tail === undefined ? missing !== 0 : missing < 1) return null;
  const groups = [...head, ...Array.from({ length: missing }, () => "0"), ...(tail ?? [])];
  if (!groups.every((group) => GROUP.test(group))) return null;
  return groups.flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
}

/** Mapped, compatible, translated (64:ff9b::/96) and 6to4 addresses stand for IPv4 ones. */
function embedsIpv4(bytes: readonly number[]): boolean {
  if (bytes.length === 4) return false;
  const groups = (from: number, to: number): string => bytes.slice(from, to).join(",");
  const zeros = "0,0,0,0,0,0,0,0,0,0";
  if (groups(0, 10) === zeros && ["0,0", "255,255"].includes(groups(10, 12))) return true;
  return groups(0, 4) === "0,100,255,155" || groups(0, 2) === "32,2";
}
