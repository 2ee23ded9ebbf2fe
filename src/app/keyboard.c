/* SPDX-License-Identifier: MIT */
/* Single keys by termios, and the escape sequences of arrow keys. */
#include "app/keyboard.h"

#include <poll.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

static struct termios before;
static bool changed, ended;

void keyboard_open(void)
{
    ended = false;
    if (!isatty(STDIN_FILENO) || tcgetattr(STDIN_FILENO, &before))
        return;
    struct termios raw = before;
    raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO); /* signals stay: Ctrl-C works */
    raw.c_cc[VMIN] = 1;
    raw.c_cc[VTIME] = 0;
    raw.c_cc[VSUSP] = _POSIX_VDISABLE; /* Ctrl-Z would leave the terminal in this mode and the sound card waiting */
    changed = !tcsetattr(STDIN_FILENO, TCSANOW, &raw);
    if (changed)
        atexit(keyboard_close); /* may run twice */
}

void keyboard_close(void)
{
    if (changed)
        tcsetattr(STDIN_FILENO, TCSANOW, &before);
    changed = false;
}

int keyboard_columns(void)
{
    struct winsize size;
    return !ioctl(STDERR_FILENO, TIOCGWINSZ, &size) && size.ws_col > 1 ? size.ws_col : 80;
}

/* The next byte of an escape sequence, which arrives within milliseconds; -1: none. */
static int next_byte(void)
{
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    unsigned char byte;
    return poll(&input, 1, 20) > 0 && read(STDIN_FILENO, &byte, 1) == 1 ? byte : -1;
}

/* Reads an escape sequence after ESC: "[" or "O", parameters, and a letter, A to D for the arrows (ECMA-48). ESC with
 * nothing after it is the key ESC. */
static int sequence(void)
{
    enum { ESCAPE = 27, PARAMETERS_MAX = 8 };
    int byte = next_byte();
    if (byte < 0)
        return ESCAPE;
    if (byte != '[' && byte != 'O')
        return KEY_OTHER;
    byte = next_byte();
    for (int i = 0; i < PARAMETERS_MAX && byte >= 0x20 && byte < 0x40; i++)
        byte = next_byte();
    return byte >= 'A' && byte <= 'D' ? KEY_UP + byte - 'A' : KEY_OTHER;
}

int keyboard_key(double seconds)
{
    struct pollfd input = {.fd = ended ? -1 : STDIN_FILENO, .events = POLLIN};
    const int ready = poll(&input, 1, (int)(1e3 * seconds));
    unsigned char key;
    if (ended)
        return -2;
    if (ready <= 0)
        return -1;
    if (read(STDIN_FILENO, &key, 1) == 1)
        return key == 27 ? sequence() : key;
    ended = true;
    return -2;
}
