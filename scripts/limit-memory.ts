/** The id of the section of a WebAssembly module that declares its memory. */
const MEMORY_SECTION = 5;

/** Magic number and version, in bytes. */
const HEADER_BYTES = 8;

/**
 * Declares a maximum for the memory of a WebAssembly module: the linker of Go states none.
 * @param pages of 64 KiB
 */
export function limitMemory(module: Uint8Array, pages: number): Uint8Array {
  let at = HEADER_BYTES;
  while (at < module.length) {
    const id = module[at];
    const size = readNumber(module, at + 1);
    if (id === MEMORY_SECTION) {
      const section = limitedSection(module.subarray(size.next, size.next + size.value), pages);
      const head = Uint8Array.of(MEMORY_SECTION, ...numberBytes(section.length));
      const rest = module.subarray(size.next + size.value);
      return Buffer.concat([module.subarray(0, at), head, section, rest]);
    }
    at = size.next + size.value;
  }
  throw new Error("the module declares no memory");
}

/** `section` holds the count of memories, and of each whether it has a maximum, and its least pages. */
function limitedSection(section: Uint8Array, pages: number): Uint8Array {
  const [count, hasMaximum] = section;
  if (count !== 1 || hasMaximum !== 0) throw new Error("expected one memory without a maximum");
  const { value: least } = readNumber(section, 2);
  if (least > pages) throw new Error(`the module needs ${String(least)} pages of memory`);
  return Uint8Array.of(1, 1, ...numberBytes(least), ...numberBytes(pages));
}

/** An unsigned LEB128 number. */
function readNumber(bytes: Uint8Array, from: number): { value: number; next: number } {
  let value = 0;
  for (let at = from, shift = 0; ; at++, shift += 7) {
    const byte = bytes[at];
    if (byte === undefined) throw new Error("the module ends within a number");
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return { value, next: at + 1 };
  }
}

function numberBytes(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
  return [...bytes, rest];
}
