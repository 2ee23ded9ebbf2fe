/* Sound cards, through PortAudio. */
#ifndef AULA_IO_SOUND_DEVICES_H
#define AULA_IO_SOUND_DEVICES_H

#include <stdio.h>

/* One line a device, or a line that says why there is none. */
void sound_devices_print(FILE *stream);

#endif
