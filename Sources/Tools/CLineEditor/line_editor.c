// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE

#include "CLineEditor.h"

#include <errno.h>
#include <fcntl.h>
#include <histedit.h>
#include <locale.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

// Stands before and after what the terminal gets as it is.
static const char LITERAL = '\1';

struct line_editor {
    EditLine *edit;
    History *history;
    char *prompt;
    line_editor_owner owner;
    int wake[2];
    unsigned short columns, rows;
    bool is_interrupted;
    atomic_bool is_stopped;
};

static line_editor *editor_of(EditLine *edit) {
    void *data = NULL;
    el_get(edit, EL_CLIENTDATA, &data);
    return data;
}

static char *prompt(EditLine *edit) { return editor_of(edit)->prompt; }

static void set_prompt(line_editor *editor, char *next) {
    if (!next) return;
    free(editor->prompt);
    editor->prompt = next;
}

// Where a character stands, counted from where the prompt begins.
typedef struct {
    int row, column;
} place;

static place advanced(place from, int width, int columns) {
    // What does not fit into the row goes into the next one as a whole.
    if (from.column + width > columns) from = (place){from.row + 1, 0};
    from.column += width;
    return from.column < columns ? from : (place){from.row + 1, 0};
}

// Where libedit has put the cursor for this much of the line; it does not tell itself.
static place place_of(line_editor *editor, const wchar_t *end) {
    int columns = editor->columns > 0 ? editor->columns : 80;
    place result = {0, 0};
    bool is_visible = true;
    for (const char *octet = editor->prompt; *octet; octet++) {
        if (*octet == LITERAL) is_visible = !is_visible;
        else if (is_visible) result = advanced(result, 1, columns);
    }
    for (const wchar_t *character = el_wline(editor->edit)->buffer; character < end; character++) {
        if (*character == L'\n') {
            result = (place){result.row + 1, 0};
        } else if (*character == L'\t') {
            do result = advanced(result, 1, columns);
            while (result.column % 8);
        } else if (*character < 0x20 || *character == 0x7F) {
            // Shown as ^X.
            result = advanced(advanced(result, 1, columns), 1, columns);
        } else {
            int width = wcwidth(*character);
            if (width > 0) result = advanced(result, width, columns);
        }
    }
    return result;
}

// Puts the cursor behind the end of the line.
static void go_to_end(line_editor *editor) {
    const LineInfoW *line = el_wline(editor->edit);
    place from = place_of(editor, line->cursor), to = place_of(editor, line->lastchar);
    for (int row = from.row; row < to.row; row++) fputs("\033[B", stdout);
    fputs("\r", stdout);
    if (to.column > 0) fprintf(stdout, "\033[%dC", to.column);
}

// Shows lines above the one that is being typed, which gets another prompt if there is one.
static void print_above(line_editor *editor, const char *text, char *next_prompt) {
    int row = place_of(editor, el_wline(editor->edit)->cursor).row;
    fputs("\r", stdout);
    if (row > 0) fprintf(stdout, "\033[%dA", row);
    fputs("\033[J", stdout);
    if (text) fputs(text, stdout);
    set_prompt(editor, next_prompt);
    // Draws everything again, from where the cursor now is.
    el_set(editor->edit, EL_REFRESH);
}

static void show_lines(line_editor *editor) {
    char *lines = editor->owner.lines(editor->owner.context);
    print_above(editor, lines, editor->owner.prompt(editor->owner.context));
    free(lines);
}

// Takes in that the window has another size; libedit itself would have to own SIGWINCH for that.
static void look_at_size(line_editor *editor) {
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) return;
    if (size.ws_col == editor->columns && size.ws_row == editor->rows) return;
    int is_first = editor->columns == 0;
    editor->columns = size.ws_col;
    editor->rows = size.ws_row;
    if (!is_first) el_resize(editor->edit);
}

// Waits for a character or for lines to show. The end of the input is 0, as libedit wants it.
static int get_character(EditLine *edit, wchar_t *character) {
    line_editor *editor = editor_of(edit);
    mbstate_t state;
    memset(&state, 0, sizeof state);
    while (!atomic_load(&editor->is_stopped)) {
        struct pollfd waiting[2] = {
            {.fd = STDIN_FILENO, .events = POLLIN}, {.fd = editor->wake[0], .events = POLLIN}};
        if (poll(waiting, 2, -1) < 0) {
            if (errno == EINTR) continue;
            return -1;
        }
        look_at_size(editor);
        if (waiting[1].revents) {
            char ignored[64];
            while (read(editor->wake[0], ignored, sizeof ignored) > 0) {}
            if (!atomic_load(&editor->is_stopped)) show_lines(editor);
        }
        if (!waiting[0].revents) continue;
        char octet;
        ssize_t count = read(STDIN_FILENO, &octet, 1);
        if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (count <= 0) return (int)count;
        size_t length = mbrtowc(character, &octet, 1, &state);
        if (length == (size_t)-2) continue;
        if (length == (size_t)-1) {
            // No text in this locale: it is left out.
            memset(&state, 0, sizeof state);
            continue;
        }
        return 1;
    }
    return 0;
}

// MARK: What keys do

static unsigned char complete(EditLine *edit, int character) {
    (void)character;
    line_editor *editor = editor_of(edit);
    const LineInfo *line = el_line(edit);
    char *before = strndup(line->buffer, (size_t)(line->cursor - line->buffer));
    if (!before) return CC_ERROR;
    char *list = NULL;
    char *rest = editor->owner.complete(editor->owner.context, before, &list);
    free(before);
    unsigned char result = CC_ERROR;
    if (rest && el_insertstr(edit, rest) == 0) result = CC_REFRESH;
    if (list) {
        print_above(editor, list, NULL);
        result = CC_REFRESH;
    }
    free(rest);
    free(list);
    return result;
}

static unsigned char interrupt(EditLine *edit, int character) {
    (void)character;
    line_editor *editor = editor_of(edit);
    go_to_end(editor);
    fputs("^C\r\n", stdout);
    fflush(stdout);
    editor->is_interrupted = true;
    return CC_EOF;
}

static unsigned char suspend(EditLine *edit, int character) {
    (void)character;
    go_to_end(editor_of(edit));
    fputs("\r\n", stdout);
    fflush(stdout);
    el_set(edit, EL_PREP_TERM, 0);
    // Threads of a pool take no signals.
    sigset_t stop, before;
    sigemptyset(&stop);
    sigaddset(&stop, SIGTSTP);
    pthread_sigmask(SIG_UNBLOCK, &stop, &before);
    raise(SIGTSTP);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    el_set(edit, EL_PREP_TERM, 1);
    el_set(edit, EL_REFRESH);
    return CC_NORM;
}

static void bind(EditLine *edit, const char *key, const char *function) {
    el_set(edit, EL_BIND, key, function, NULL);
    // The other map of those who have chosen vi's keys in their .editrc.
    el_set(edit, EL_BIND, "-a", key, function, NULL);
}

// MARK: The interface

line_editor *line_editor_open(line_editor_owner owner, int lines_of_history) {
    setlocale(LC_CTYPE, "");
    if (MB_CUR_MAX == 1) setlocale(LC_CTYPE, "C.UTF-8");
    line_editor *editor = calloc(1, sizeof *editor);
    if (!editor) return NULL;
    editor->owner = owner;
    atomic_init(&editor->is_stopped, false);
    editor->prompt = strdup("");
    if (!editor->prompt || pipe(editor->wake) != 0) {
        free(editor->prompt);
        free(editor);
        return NULL;
    }
    for (int end = 0; end < 2; end++) {
        fcntl(editor->wake[end], F_SETFL, O_NONBLOCK);
        fcntl(editor->wake[end], F_SETFD, FD_CLOEXEC);
    }
    editor->edit = el_init("lantern", stdin, stdout, stderr);
    editor->history = history_init();
    if (!editor->edit || !editor->history) {
        line_editor_close(editor);
        return NULL;
    }
    HistEvent event;
    history(editor->history, &event, H_SETSIZE, lines_of_history);
    history(editor->history, &event, H_SETUNIQUE, 1);

    EditLine *edit = editor->edit;
    el_set(edit, EL_CLIENTDATA, editor);
    el_set(edit, EL_EDITOR, "emacs");
    el_set(edit, EL_SIGNAL, 0);
    el_set(edit, EL_HIST, history, editor->history);
    el_set(edit, EL_PROMPT_ESC, prompt, LITERAL);
    el_set(edit, EL_ADDFN, "lantern-complete", "Complete a word", complete);
    el_set(edit, EL_ADDFN, "lantern-interrupt", "Give the line up", interrupt);
    el_set(edit, EL_ADDFN, "lantern-suspend", "Suspend the process", suspend);
    bind(edit, "^R", "em-inc-search-prev");
    el_source(edit, NULL);
    el_set(edit, EL_GETCFN, get_character);
    bind(edit, "^I", "lantern-complete");
    bind(edit, "^C", "lantern-interrupt");
    bind(edit, "^Z", "lantern-suspend");
    // While a line is typed, Control-C is a key like others.
    el_set(edit, EL_SETTY, "-d", "-isig", NULL);
    look_at_size(editor);
    return editor;
}

void line_editor_remember(line_editor *editor, const char *line) {
    HistEvent event;
    history(editor->history, &event, H_ENTER, line);
}

line_editor_ending line_editor_read(line_editor *editor, char **line) {
    *line = NULL;
    if (atomic_load(&editor->is_stopped)) return LINE_EDITOR_END;
    set_prompt(editor, editor->owner.prompt(editor->owner.context));
    look_at_size(editor);
    editor->is_interrupted = false;
    // Before the prompt is there, or what is typed at once would be shown twice.
    el_set(editor->edit, EL_PREP_TERM, 1);
    int count = 0;
    const char *typed = el_gets(editor->edit, &count);
    if (editor->is_interrupted) return LINE_EDITOR_INTERRUPTED;
    if (!typed || count <= 0) return LINE_EDITOR_END;
    *line = strndup(typed, strcspn(typed, "\r\n"));
    return *line ? LINE_EDITOR_LINE : LINE_EDITOR_END;
}

void line_editor_wake(line_editor *editor) {
    // A full pipe wakes just as well.
    ssize_t ignored = write(editor->wake[1], "", 1);
    (void)ignored;
}

void line_editor_stop(line_editor *editor) {
    atomic_store(&editor->is_stopped, true);
    line_editor_wake(editor);
}

void line_editor_close(line_editor *editor) {
    if (editor->edit) el_end(editor->edit);
    if (editor->history) history_end(editor->history);
    close(editor->wake[0]);
    close(editor->wake[1]);
    free(editor->prompt);
    free(editor);
}
