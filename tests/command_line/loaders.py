# SPDX-License-Identifier: MIT
"""Loads data sets of aula batch with the packages that people use, prints each loader's line and what it printed, and
compares every sample with the WAV files.  loaders.py FOLDER LOADER: FOLDER holds sets named wav, parquet, webdataset,
hdf5 and sofa of one plan (tests/command_line/loaders)."""

import io
import json
import os
import sys
import tarfile

import numpy as np
import soundfile

folder, loader = sys.argv[1:]
os.chdir(folder)
os.environ["HF_HOME"] = os.path.join(os.getcwd(), "cache")
os.environ["HF_HUB_OFFLINE"] = "1"


def rows_of(name):
    """Each response by (room, source, receiver): its row by the manifest, and its samples [channel][frame] by the WAV."""
    rows = {}
    for line in open(f"{name}/manifest.jsonl"):
        record = json.loads(line)
        for file in record["files"]:
            samples = soundfile.read(f"{name}/{file['file']}", dtype="float32", always_2d=True)[0].T
            if "receiver" in file:
                parts = [(file["receiver"], samples)]
            else:
                parts = [(channel, samples[i : i + 1]) for i, channel in enumerate(file["channels"])]
            for receiver, part in parts:
                rows[record["room"], file["source"], receiver] = (record, part)
    return rows


EXPECTED = rows_of("wav")
COUNT = {
    name: sum(record["split"] == name for record, _ in EXPECTED.values()) for name in ("train", "validation", "test")
}
COUNT = {name: count for name, count in COUNT.items() if count}


def line(text, value):
    """A line as people write it, and what it printed."""
    print(f">>> {text}\n{value}\n")
    return value


def decoded(data):
    return soundfile.read(io.BytesIO(data), dtype="float32", always_2d=True)[0].T


def check(found, split=None):
    """found: (room, source, receiver) -> (split, samples [channel][frame])"""
    wanted = {key: row for key, row in EXPECTED.items() if split in (None, row[0]["split"])}
    assert sorted(found) == sorted(wanted), (len(found), len(wanted))
    for key, (name, samples) in found.items():
        record, expected = wanted[key]
        assert name == record["split"], key
        assert samples.shape == expected.shape and np.array_equal(np.asarray(samples), expected), key
    where = f" of {split}" if split else ""
    print(f"{len(found)} responses{where}: every sample equals that of the WAV\n")


def key_of(row):
    return row["room"], row["source"], row["receiver"]


def of_folder():
    from datasets import Audio, load_dataset

    everything = load_dataset("audiofolder", data_dir="wav")
    assert line('load_dataset("audiofolder", data_dir="wav").num_rows', everything.num_rows) == {"train": len(EXPECTED)}
    sets = load_dataset("./wav")
    assert line('load_dataset("./wav").num_rows', sets.num_rows) == COUNT
    line('load_dataset("./wav")["train"].column_names', sets["train"].column_names)
    for name in sets:
        found = {}
        for row in sets[name].cast_column("audio", Audio(decode=False)):
            samples = soundfile.read(row["audio"]["path"], dtype="float32", always_2d=True)[0].T
            found[key_of(row)] = (row["split"], samples[row["first_channel"] : row["first_channel"] + row["channels"]])
        check(found, name)


def of_parquet():
    from datasets import Audio, load_dataset

    sets = load_dataset("./parquet")
    assert line('load_dataset("./parquet").num_rows', sets.num_rows) == COUNT
    assert isinstance(sets["train"].features["audio"], Audio)
    for name in sets:
        rows = sets[name].cast_column("audio", Audio(decode=False))
        check({key_of(row): (row["split"], decoded(row["audio"]["bytes"])) for row in rows}, name)
    try:
        import torchcodec  # noqa: F401
    except Exception as why:  # without a library of ffmpeg, which it loads
        print(f"left out: decoding by torchcodec: {str(why).splitlines()[0]}")
        return
    row = sets["train"][0]
    samples = line('load_dataset("./parquet")["train"][0]["audio"].get_all_samples()', row["audio"].get_all_samples())
    assert np.array_equal(samples.data.numpy(), EXPECTED[key_of(row)][1])


def of_pandas():
    import glob

    import pandas
    import pyarrow.parquet

    everything = pandas.read_parquet("parquet/data")
    line(
        'pandas.read_parquet("parquet/data")[["room", "split", "source", "receiver", "volume"]].head(3)',
        everything[["room", "split", "source", "receiver", "volume"]].head(3),
    )
    check({key_of(row): (row["split"], decoded(row["audio"]["bytes"])) for _, row in everything.iterrows()})
    for name in sorted(glob.glob("parquet/data/*.parquet")):
        pyarrow.parquet.read_table(name).validate(full=True)
    table = line(
        'pyarrow.parquet.read_table("parquet/metadata.parquet").num_rows',
        pyarrow.parquet.read_table("parquet/metadata.parquet").num_rows,
    )
    assert table == len(EXPECTED)
    metadata = pandas.read_parquet("parquet/metadata.parquet")
    for _, row in metadata.iterrows():
        record, samples = EXPECTED[key_of(row)]
        assert row["volume"] == record["volume"] and row["frames"] == samples.shape[1], key_of(row)
        assert row["room.size[1]"] == record["parameters"]["room.size"][1], key_of(row)
        assert row["room.walls.default"] == record["parameters"]["room.walls.default"], key_of(row)
        measured = json.loads(row["metrics"])
        one = [m for m in record["metrics"] if (m["source"], m["receiver"]) == (row["source"], row["receiver"])]
        assert measured == one[0] and np.isnan(row["t30_mid"]) == all(v is None for v in measured["t30"][3:4])
    csv = pandas.read_csv("wav/manifest.csv")
    line(
        'pandas.read_csv("wav/manifest.csv")[["room", "file_name", "split", "licence"]].head(2)',
        csv[["room", "file_name", "split", "licence"]].head(2),
    )
    assert all(os.path.isfile(os.path.join("wav", name)) for name in csv["file_name"])


def of_webdataset():
    import glob

    import webdataset
    from datasets import Audio, load_dataset

    for name in COUNT:
        urls = sorted(glob.glob(f"webdataset/data/{name}-*.tar"))
        samples = list(webdataset.WebDataset(urls, shardshuffle=False).decode())
        if name == "train":
            line(f'next(iter(webdataset.WebDataset("{urls[0]}", shardshuffle=False))).keys()', samples[0].keys())
        raw = webdataset.WebDataset(urls, shardshuffle=False)
        check({key_of(json.loads(s["json"])): (json.loads(s["json"])["split"], decoded(s["wav"])) for s in raw}, name)
        for url in urls:
            with tarfile.open(url) as archive:
                assert all(m.mtime == 0 and m.uid == 0 and m.isreg() for m in archive)
    sets = load_dataset("./webdataset")
    assert line('load_dataset("./webdataset").num_rows', sets.num_rows) == COUNT
    for name in sets:
        rows = sets[name].cast_column("wav", Audio(decode=False))
        check({key_of(row["json"]): (row["json"]["split"], decoded(row["wav"]["bytes"])) for row in rows}, name)


def of_torch():
    import glob

    import torch
    import webdataset

    class Responses(torch.utils.data.Dataset):
        """A row of metadata.parquet with its samples."""

        def __init__(self, folder):
            import pandas

            self.folder, self.rows = folder, pandas.read_parquet(f"{folder}/metadata.parquet")

        def __len__(self):
            return len(self.rows)

        def __getitem__(self, index):
            row = self.rows.iloc[index]
            samples = soundfile.read(f"{self.folder}/{row.file_name}", dtype="float32", always_2d=True)[0].T
            return index, torch.from_numpy(samples[row.first_channel : row.first_channel + row.channels].copy())

    responses = Responses("wav")
    loader = torch.utils.data.DataLoader(responses, batch_size=None, num_workers=2)  # processes by fork
    index, samples = line(
        'next(iter(torch.utils.data.DataLoader(Responses("wav"), batch_size=None)))', next(iter(loader))
    )
    rows = {int(i): samples for i, samples in loader}
    check({key_of(row): (row["split"], rows[i].numpy()) for i, row in responses.rows.iterrows()})
    urls = sorted(glob.glob("webdataset/data/train-*.tar"))
    stream = webdataset.WebDataset(urls, shardshuffle=False).to_tuple("wav", "json")
    found = {}
    for wav, text in torch.utils.data.DataLoader(stream, batch_size=None, num_workers=0):
        row = json.loads(text)
        found[key_of(row)] = (row["split"], torch.from_numpy(decoded(wav)).numpy())
    check(found, "train")


def of_h5py():
    import h5py
    import netCDF4

    with h5py.File("hdf5/responses.h5") as file:
        line('h5py.File("hdf5/responses.h5")["response"]', file["response"])

        def words(name):
            text = file[name].attrs["values_by_index"]
            return (text.decode() if isinstance(text, bytes) else text).split("\n")

        source, receiver, split = words("source"), words("receiver"), words("split")
        found = {}
        for i in range(file["response"].shape[0]):
            samples = file["response"][i][: int(file["channels"][i]), : int(file["frames"][i])]
            key = int(file["room"][i]), source[int(file["source"][i])], receiver[int(file["receiver"][i])]
            found[key] = (split[int(file["split"][i])], samples)
            one = [m for m in EXPECTED[key][0]["metrics"] if (m["source"], m["receiver"]) == key[1:]][0]
            wanted = np.array([np.nan if v is None else v for v in one["c80"]])
            assert np.allclose(file["c80"][i], wanted, rtol=1e-12, equal_nan=True), key
        check(found)
        assert file.attrs["licence"] in ("CC-BY-4.0", b"CC-BY-4.0")
    with netCDF4.Dataset("hdf5/responses.h5") as file:
        line('netCDF4.Dataset("hdf5/responses.h5")["response"].shape', file["response"].shape)
    with netCDF4.Dataset("netcdf/rooms.nc") as file:
        line('netCDF4.Dataset("netcdf/rooms.nc")["response"].shape', file["response"].shape)
        assert file["response"].shape[0] == len({key[0] for key in EXPECTED})


def of_sofar():
    import glob

    import sofar

    name = sorted(glob.glob("sofa/rooms/*/*.sofa"))[0]
    response = sofar.read_sofa(name, verbose=False)
    line(f'sofar.read_sofa("{name}").GLOBAL_License', response.GLOBAL_License)
    about = json.loads(open("sofa/manifest.jsonl").readline())
    assert response.GLOBAL_License == about["licence"] and response.GLOBAL_AuthorContact == about["author"]
    assert response.GLOBAL_Organization == about["organisation"] and response.GLOBAL_References == about["citation"]


LOADERS = {
    "audiofolder": of_folder,
    "parquet": of_parquet,
    "pandas": of_pandas,
    "webdataset": of_webdataset,
    "torch": of_torch,
    "h5py": of_h5py,
    "sofar": of_sofar,
}
LOADERS[loader]()
