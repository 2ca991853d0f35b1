#!/usr/bin/env python3
"""Verifies an export of the audit log with nothing but Python 3.8.

    python3 verify_audit.py export.ndjson keys.txt
    python3 verify_audit.py excerpt.ndjson keys.txt --org acme

keys.txt holds the public keys that you kept, one per line. It shares no code with the service:
docs/AUDIT-FORMAT.md specifies what it checks. Exit codes: 0 intact, 1 broken, 2 wrong usage,
5 the last rows are not signed, or nothing is, or none of the keys signed anything.
"""
import base64
import hashlib
import json
import sys


def main(arguments):
    org = None
    if "--org" in arguments:
        at = arguments.index("--org")
        org = "".join(arguments[at + 1 : at + 2])
        arguments = arguments[:at] + arguments[at + 2 :]
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    path, key_file = arguments
    try:
        keys = Keys(key_file)
        with open(path, "rb") as lines:
            is_excerpt = json.loads(lines.readline()).get("format") == "svc-audit-excerpt/1"
        with open(path, "rb") as lines:
            verify = verify_excerpt if is_excerpt else verify_export
            return keys.judge(verify(lines, keys, org))
    except OSError as error:
        print(f"cannot be read: {error}", file=sys.stderr)
        return 2
    except Broken as fault:
        print(f"broken: {fault}", file=sys.stderr)
        return 1
    except (ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
        print(f"broken: a line has another form than the format says ({error!r})", file=sys.stderr)
        return 1


class Broken(Exception):
    """The evidence is not what was signed, or not whole."""


def require(condition, what):
    if not condition:
        raise Broken(what)


def sha(data):
    return hashlib.sha256(data).digest()


class Keys:
    """The given keys by name and id, and what the notes say about others."""

    def __init__(self, path):
        """`<name>+<8 hex digits>+<base64>`, one per line."""
        with open(path, encoding="utf-8") as lines:
            texts = [line.strip() for line in lines if line.strip()]
        self.keys, self.used, self.needed = {}, set(), {}
        for text in texts:
            name, key_id, key = text.split("+", 2)
            self.keys[f"{name}+{key_id}"] = base64.b64decode(key)[1:]
        require(self.keys, "the file of keys holds none")

    def lines_of(self, note, log, about):
        """The lines of a signed note about a log, and whether one of the given keys signed it."""
        text, signature = note.split("\n\n")
        _, name, encoded = signature.rstrip("\n").split(" ")
        found = base64.b64decode(encoded)
        signer = f"{name}+{found[:4].hex()}"
        key = self.keys.get(signer)
        if key is None:
            self.needed.setdefault(log, {})[signer] = about
            return text.split("\n"), False
        require(is_signed(key, (text + "\n").encode(), found[4:]), f"the signature of {about} does not fit")
        self.used.add(log)
        return text.split("\n"), True

    def judge(self, result):
        """Prints the result and returns its exit code. A log signed by our keys and by others is broken."""
        code, says = result
        for log, signers in self.needed.items():
            require(log not in self.used, f"another key signed {next(iter(signers.values()))}")
            given, needed = ", ".join(self.keys), " or ".join(signers)
            print(f"cannot be judged: none of the given keys signed {log}: given {given}, needed {needed}")
        if not self.needed:
            print(says)
        return 5 if self.needed else code


# An export of whole logs.


def verify_export(lines, keys, _org):
    heads, notes, missing, rows, removals, counts = {}, [], {}, 0, 0, None
    for number, raw in enumerate(lines, 1):
        line = json.loads(raw)
        is_header = line == {"format": "svc-audit-export/1"}
        require((number == 1) == is_header and not counts, f"line {number} is out of place")
        if "seq" in line:
            rows += 1
            add_row(line, heads, missing)
        elif "checkpoint" in line:
            notes.append((line["log_id"], len(heads.get(line["log_id"], [0])) - 1, line["checkpoint"]))
        elif "removal" in line:
            removals += 1
            note, _ = keys.lines_of(line["removal"], line["log_id"], f"a removal of {line['log_id']}")
            explain(line["log_id"], note, heads, missing)
        counts = line.get("end")
    wanted = {"rows": rows, "checkpoints": len(notes)}
    if removals:
        wanted["removals"] = removals
    require(counts == wanted, "the end line is missing or counts otherwise")
    for log, gone in missing.items():
        require(not gone, f"row {min(gone, default=0)} of {log} has lost its content")
    return compare_heads(heads, notes, keys, rows)


def add_row(line, heads, missing):
    log = line["log_id"]
    chain = heads.setdefault(log, [sha(f"svc-audit-log/v1\n{log}\n".encode())])
    seq, gone = len(chain) - 1, missing.setdefault(log, set())
    if seq % 256 == 0:
        require(not gone, f"row {min(gone, default=0)} of {log} has lost its content")
    is_removed = line.get("removed") is True and "row" not in line
    if is_removed:
        gone.add(seq)
    chain.append(bytes.fromhex(line["hash"]) if is_removed else sha(chain[-1] + line["row"].encode()))
    wanted = (seq, chain[-2].hex(), chain[-1].hex())
    require((line["seq"], line["prev_hash"], line["hash"]) == wanted, f"row {seq} of {log} was changed")


def explain(log, note, heads, missing):
    """A signed statement names the rows whose content retention removed."""
    origin, org, ranges, digest, _removed_at, _days = note
    chain, found = heads.get(log, [b""]), sha(f"svc-audit-removal/v1\n{log}\n{org}\n".encode())
    for first, last in (map(int, one.split("-")) for one in ranges.split(",")):
        for seq in range(first, last + 1):
            is_here = seq + 1 < len(chain) and seq // 256 == (len(chain) - 2) // 256
            require(is_here, f"a removal of {log} is out of place")
            found = sha(found + seq.to_bytes(8, "big") + chain[seq + 1])
            missing[log].discard(seq)
    stated = (f"svc-audit-removal/{log}", base64.b64encode(found).decode())
    require((origin, digest) == stated, f"a removal of {log} is about other rows")


def compare_heads(heads, notes, keys, rows):
    signed = {log: 0 for log in heads}
    for log, rows_before, note in notes:
        (origin, size, head), is_ours = keys.lines_of(note, log, f"a checkpoint of {log}")
        size = int(size)
        if not is_ours:
            continue
        require(origin == f"svc-audit/{log}" and size >= rows_before, f"a checkpoint of {log} is misplaced")
        chain = heads.get(log, [])
        is_head = size < len(chain) and chain[size] == base64.b64decode(head)
        require(is_head, f"{log} is not what was signed")
        signed[log] = max(signed[log], size)
    unsigned = {log: size for log, size in signed.items() if size < len(heads[log]) - 1}
    if unsigned or not heads:
        first = ", ".join(f"{log} from row {size} on" for log, size in unsigned.items())
        return 5, f"partly signed: no signature covers {first}" if unsigned else "unsigned: the export holds no row"
    heads_text = [f"{log}: {len(chain) - 1} rows, head {chain[-1].hex()}" for log, chain in heads.items()]
    return 0, "\n".join([f"intact: {rows} rows", *heads_text])


# The excerpt of one organization.


def verify_excerpt(lines, keys, org):
    require(org, "this is the excerpt of an organization: name the one that you expect with --org")
    logs, rows, left_out, removed, asked, counts = {}, 0, 0, 0, {}, None
    for number, raw in enumerate(lines, 1):
        line = json.loads(raw)
        asked = line.get("filter", {}) if number == 1 else asked
        header = {"format": "svc-audit-excerpt/1", "org": org}
        is_header = line in (header, {**header, "filter": asked})
        require((number == 1) == is_header and not counts, f"line {number} is out of place")
        log = line.get("log_id")
        if log is not None:
            start = [sha(f"svc-audit-excerpt/v1\n{log}\n{org}\n".encode()), 0, False]
            require(not logs.setdefault(log, start)[2], f"line {number} follows the statement about {log}")
        if "row" in line:
            rows += 1
            add_excerpt_row(line, logs[log], org, asked)
        elif "excerpt" in line:
            note, is_ours = keys.lines_of(line["excerpt"], log, f"the statement about {log}")
            if is_ours:
                size, count, gone = compare_statement(note, log, logs[log], org, asked)
                left_out, removed = left_out + size - count - gone, removed + gone
            logs[log][2] = True
        counts = line.get("end")
    wanted = {"rows": rows, "excerpts": len(logs)}
    require(counts == wanted, "the end line is missing or counts otherwise")
    require(all(is_stated for _, _, is_stated in logs.values()), "a statement is missing")
    others = "left out by organization or filter" if asked else "of other organizations left out"
    gone = f", {removed} removed by retention" if removed else ""
    return 0, f"intact: {rows} rows, {left_out} {others}{gone}"


def add_excerpt_row(line, state, org, asked):
    text, place = line["row"].encode(), f"row {line['seq']} of {line['log_id']}"
    row = dict(json.loads(text), log_id=line["log_id"])
    require(row["org"] == org, f"{place} is of another organization")
    if row["kind"] == "kill_switch" and row.get("scope") == "agent":
        row["agent_id"] = row.get("target_id")
    fits = all(asked[name] == row.get(name) for name in asked if name not in ("since", "until"))
    in_time = asked.get("since", "") <= row["time"] < asked.get("until", "~")
    require(fits and in_time, f"{place} is outside the filter")
    state[0] = sha(state[0] + line["seq"].to_bytes(8, "big") + sha(text))
    state[1] += 1


def compare_statement(note, log, state, org, asked):
    origin, stated_org, size, _head, count, digest, *more = note
    stated_filter, gone = more or ["{}", "0"]
    wanted = (f"svc-audit-excerpt/{log}", org, state[1], base64.b64encode(state[0]).decode(), asked)
    stated = (origin, stated_org, int(count), digest, json.loads(stated_filter))
    require(stated == wanted, f"{log} is not what was stated")
    return int(size), int(count), int(gone)


# Ed25519 of RFC 8032, short and slow.

P, Q = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P


def add(one, other):
    (x1, y1), (x2, y2) = one, other
    t = D * x1 * x2 * y1 * y2
    x = (x1 * y2 + x2 * y1) * pow(1 + t, -1, P)
    return x % P, (y1 * y2 + x1 * x2) * pow(1 - t, -1, P) % P


def times(factor, point):
    total = (0, 1)
    while factor:
        if factor & 1:
            total = add(total, point)
        point, factor = add(point, point), factor >> 1
    return total


def decode(data):
    y, sign = int.from_bytes(data, "little") & (2**255 - 1), data[31] >> 7
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    if (x * x - square) % P:
        raise ValueError("not a point")
    return (x if x % 2 == sign else P - x), y


BASE = decode((4 * pow(5, -1, P) % P).to_bytes(32, "little"))


def is_signed(key, text, signature):
    s = int.from_bytes(signature[32:], "little")
    h = int.from_bytes(hashlib.sha512(signature[:32] + key + text).digest(), "little") % Q
    return s < Q and times(s, BASE) == add(decode(signature[:32]), times(h, decode(key)))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
