# SPDX-License-Identifier: MIT
"""Reads the files that aula batch makes for loaders, with the standard library alone, and compares them with the WAV files
and the manifest.  loader_files.py FOLDER tar|parquet|metadata"""

import glob
import json
import os
import struct
import sys
import tarfile


def wav(data):
    """Channels, rate and the frames' bytes of a WAV file: [channel] -> bytes of its samples."""
    at, format_, frames = 12, None, None
    assert data[:4] == b"RIFF" and data[8:12] == b"WAVE", data[:12]
    assert struct.unpack("<I", data[4:8])[0] == len(data) - 8
    while at < len(data):
        name, size = data[at : at + 4], struct.unpack("<I", data[at + 4 : at + 8])[0]
        inside = data[at + 8 : at + 8 + size]
        if name == b"fmt ":
            format_ = struct.unpack("<HHIIHH", inside[:16])
        elif name == b"data":
            frames = inside
        at += 8 + size + size % 2
    assert at == len(data), (at, len(data))
    _, channels, rate, _, frame, _ = format_
    sample = frame // channels
    return rate, [
        b"".join(frames[i : i + sample] for i in range(c * sample, len(frames), frame)) for c in range(channels)
    ]


class Compact:
    """Thrift's compact protocol: a struct becomes a dict by the number of the field."""

    def __init__(self, data, at):
        self.data, self.at = data, at

    def byte(self):
        self.at += 1
        return self.data[self.at - 1]

    def varint(self):
        value = shift = 0
        while True:
            b = self.byte()
            value |= (b & 127) << shift
            shift += 7
            if b < 128:
                return value

    def value(self, kind):
        if kind in (5, 6):
            number = self.varint()
            return number >> 1 ^ -(number & 1)
        if kind == 8:
            length = self.varint()
            self.at += length
            return self.data[self.at - length : self.at]
        if kind == 9:
            head = self.byte()
            count = head >> 4 if head >> 4 < 15 else self.varint()
            return [self.value(head & 15) for _ in range(count)]
        assert kind == 12, kind
        fields, last = {}, 0
        while head := self.byte():
            last += head >> 4
            fields[last] = self.value(head & 15)
        return fields


def column(data, chunk, optional):
    """The values of a column chunk, None where one is missing."""
    about = chunk[3]
    reader = Compact(data, about[9])
    page = reader.value(12)
    rows, at, present = page[5][1], reader.at, None
    assert page[2] == page[3] and rows == about[5] and about[4] == 0
    if optional:
        length = struct.unpack("<I", data[at : at + 4])[0]
        levels = Compact(data, at + 4)
        head = levels.varint()
        if head & 1:
            present = [data[levels.at + i // 8] >> i % 8 & 1 for i in range(rows)]
        else:
            assert head >> 1 == rows and data[levels.at] == 2  # a member of a group that is there
        at += 4 + length
    values = []
    for i in range(rows):
        if present and not present[i]:
            values.append(None)
        elif about[1] == 6:
            length = struct.unpack("<I", data[at : at + 4])[0]
            values.append(data[at + 4 : at + 4 + length])
            at += 4 + length
        else:
            values.append(struct.unpack("<q" if about[1] == 2 else "<d", data[at : at + 8])[0])
            at += 8
    assert at == reader.at + page[2], (at, reader.at, page)
    return values


def parquet(name):
    """The rows of a table: column -> value."""
    data = open(name, "rb").read()
    assert data[:4] == data[-4:] == b"PAR1"
    length = struct.unpack("<I", data[-8:-4])[0]
    file = Compact(data, len(data) - 8 - length).value(12)
    schema = {}
    for element in file[2][1:]:
        schema[element[4].decode()] = element
    rows = []
    for group in file[4]:
        columns = {}
        for chunk in group[1]:
            path = [part.decode() for part in chunk[3][3]]
            element = schema[path[-1]]
            values = column(data, chunk, element[3] == 1)
            columns[".".join(path) if path[0] == "audio" else path[0]] = [
                v.decode() if element.get(6) == 0 and v is not None else v for v in values
            ]
        assert all(len(values) == group[3] for values in columns.values())
        rows += [dict(zip(columns, row)) for row in zip(*columns.values())]
    assert len(rows) == file[3], (len(rows), file[3])
    return rows


def expected_of(folder):
    rows = {}
    for line in open(f"{folder}/manifest.jsonl"):
        record = json.loads(line)
        for file in record["files"]:
            rate, channels = wav(open(f"{folder}/{file['file']}", "rb").read())
            parts = (
                [(file["receiver"], 0, len(channels))]
                if "receiver" in file
                else [(name, i, 1) for i, name in enumerate(file["channels"])]
            )
            for receiver, first, count in parts:
                key = record["room"], file["source"], receiver
                rows[key] = {
                    "record": record,
                    "file": file["file"],
                    "first": first,
                    "rate": rate,
                    "samples": channels[first : first + count],
                }
    return rows


def check(row, sound, expected):
    """A row, and the WAV file in it (None: only named), against the manifest."""
    key = row["room"], row["source"], row["receiver"]
    wanted = expected.pop(key)
    record = wanted["record"]
    assert row["split"] == record["split"] and row["base"] == record["base"], key
    assert (row["first_channel"], row["channels"]) == (wanted["first"], len(wanted["samples"])), key
    assert row["volume"] == record["volume"] and row["rate"] == wanted["rate"], key
    source = [s for s in record["sources"] if s["name"] == row["source"]][0]
    receiver = [r for r in record["receivers"] if r["name"] == row["receiver"]][0]
    assert [row["source_x"], row["source_y"], row["source_z"]] == source["position"], key
    assert [row["receiver_x"], row["receiver_y"], row["receiver_z"]] == receiver["position"], key
    assert row["room.walls.default"] == record["parameters"]["room.walls.default"], key
    assert row["air.temperature"] == record["parameters"]["air.temperature"], key
    metrics = [m for m in record["metrics"] if (m["source"], m["receiver"]) == key[1:]]
    assert json.loads(row["metrics"]) == metrics[0], key
    middle = [
        v for v, valid in list(zip(metrics[0]["c80"], metrics[0]["valid"]))[3:5] if valid == "yes" and v is not None
    ]
    mean = sum(middle) / len(middle) if middle else None
    assert row["c80_mid"] == mean or abs(row["c80_mid"] - mean) < 1e-9, (key, row["c80_mid"], mean)
    if sound is None:
        assert row["file_name"] == wanted["file"], key
    else:
        assert wav(sound) == (wanted["rate"], wanted["samples"]), key


def splits_of(folder, suffix):
    for name in sorted(glob.glob(f"{folder}/data/*.{suffix}")):
        yield os.path.basename(name).rsplit("-", 1)[0], name


def main(folder, kind):
    expected = expected_of(folder)
    count = len(expected)
    if kind == "metadata":
        for row in parquet(f"{folder}/metadata.parquet"):
            check(row, None, expected)
        rows = [
            (name, row)
            for name in ("train", "validation", "test")
            for row in parquet(f"{folder}/metadata.{name}set.parquet")
        ]
        assert len(rows) == count and all(name == row["split"] for name, row in rows)
    for split, name in splits_of(folder, kind):
        if kind == "parquet":
            for row in parquet(name):
                assert row["split"] == split and row["audio.path"].endswith(".wav")
                check(row, row["audio.bytes"], expected)
        else:
            with tarfile.open(name) as archive:
                members = archive.getmembers()
                assert all(m.mtime == m.uid == m.gid == 0 and m.mode == 0o644 for m in members)
                data = {m.name: archive.extractfile(m).read() for m in members}
            for stem in sorted({n.split(".")[0] for n in data}):
                row = json.loads(data[f"{stem}.json"])
                assert row["split"] == split
                check(row, data[f"{stem}.wav"], expected)
    assert not expected, list(expected)[:3]
    print(f"{count} responses")


main(*sys.argv[1:])
