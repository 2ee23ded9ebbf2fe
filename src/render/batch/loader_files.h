/* SPDX-License-Identifier: MIT */
/* Files that loaders of machine learning take, made from the finished rooms (responses.h). They depend on the rooms alone,
 * not on shards, workers or order. */
#ifndef AULA_RENDER_BATCH_LOADER_FILES_H
#define AULA_RENDER_BATCH_LOADER_FILES_H

#include "render/batch/manifest.h"

/* Folder of archives and tables, and their list, which is written last. */
#define LOADER_FOLDER "data"
#define LOADER_LIST "data.json"

/* All that the plan's format asks for, and the data card; *card_kept: data_card_write. ERROR_OUTPUT, ERROR_STOPPED,
 * ERROR_MEMORY. */
int loader_files_write(bool *card_kept, const struct manifest *m, struct error *e);

/* metadata.parquet: a row for each response, with its file_name, as datasets' AudioFolder reads it; a plan with splits has
 * metadata.SPLITset.parquet of each of them, too. ERROR_OUTPUT, ERROR_STOPPED, ERROR_MEMORY. */
int loader_metadata_write(const struct manifest *m, struct error *e);

/* data/SPLIT-00000.tar or .parquet of the plan's format, each ended beyond plan->shard_bytes, unless they are there and newer
 * than the manifest; then data.json, which lists them. Errors likewise. */
int loader_shards_write(const struct manifest *m, struct error *e);

/* loader_hdf5.c: responses.h5. */
int loader_hdf5_write(const struct manifest *m, struct error *e);

/* data_card.c: README.md, a data card in the form that Hugging Face reads. Its last line has the checksum of the lines
 * above; a README.md without such a line, or that disagrees with it, is a person's and stays: *kept. Errors likewise. */
int data_card_write(bool *kept, const struct manifest *m, struct error *e);

/* Whether the file `name` in the folder is there and newer than the manifest. */
bool loader_is_new(const struct manifest *m, const char *name);

#endif
