/* SPDX-License-Identifier: MIT */
/* Files that loaders of machine learning take, made from the finished rooms (responses.h). They depend on the rooms alone,
 * not on shards, workers or order. */
#ifndef AULA_RENDER_BATCH_LOADER_FILES_H
#define AULA_RENDER_BATCH_LOADER_FILES_H

#include "render/batch/manifest.h"

/* Folder of archives and tables. */
#define LOADER_FOLDER "data"

/* Of a complete set: all that the plan's format asks for, unless the list of an earlier run holds (loader_list.h), and the
 * data card; *card_kept: data_card_write. metadata.parquet has a row for each response, with its file_name, as datasets'
 * AudioFolder reads it; a plan with splits has metadata.SPLITset.parquet of each of them, too. Archives and tables
 * data/SPLIT-00000.tar or .parquet end beyond plan->shard_bytes. ERROR_OUTPUT, ERROR_STOPPED, ERROR_MEMORY. */
int loader_files_write(bool *card_kept, const struct manifest *m, struct error *e);

/* Removes what an earlier, complete state of the set has, and its data card unless a person wrote it. */
void loader_files_remove(const struct manifest *m);

/* loader_hdf5.c: responses.h5. */
int loader_hdf5_write(const struct manifest *m, struct error *e);

/* data_card.c: README.md, a data card in the form that Hugging Face reads. Its last line has the checksum of the lines
 * above; a README.md without such a line, or that disagrees with it, is a person's and stays: *kept. Errors likewise. */
int data_card_write(bool *kept, const struct manifest *m, struct error *e);

/* Removes the card, unless it is a person's. */
void data_card_remove(const struct manifest *m);

#endif
