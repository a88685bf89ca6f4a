// SPDX-License-Identifier: Apache-2.0

// A line editor with history, completion and room for other lines while a person types, on libedit.
//
// libedit's own interface is variadic and speaks of FILE *, which Swift cannot call; this is the part we need.

#ifndef LANTERN_LINE_EDITOR_H
#define LANTERN_LINE_EDITOR_H

typedef struct line_editor line_editor;

/// What the editor asks its owner for, on the thread that reads.
///
/// All texts are allocated with malloc and freed by the editor.
typedef struct {
    /// Handed to all functions.
    void *context;
    /// What stands before the line, as it is from now on. Text between two octets of 1 is taken to have no width.
    char *(*prompt)(void *context);
    /// What to insert behind the cursor, or NULL; lines to show above the one that is typed go to *list.
    char *(*complete)(void *context, const char *before_cursor, char **list);
    /// Lines to show above the one that is typed, or NULL. Called after line_editor_wake().
    char *(*lines)(void *context);
} line_editor_owner;

/// How reading has ended.
typedef enum {
    /// With a line.
    LINE_EDITOR_LINE,
    /// With Control-C.
    LINE_EDITOR_INTERRUPTED,
    /// With Control-D, the end of the input, or line_editor_stop().
    LINE_EDITOR_END
} line_editor_ending;

/// Opens an editor on the process's terminal, with room for so many lines of history.
///
/// Returns NULL when the terminal cannot be edited on.
line_editor *line_editor_open(line_editor_owner owner, int lines_of_history);

/// Adds a line to the history.
void line_editor_remember(line_editor *editor, const char *line);

/// Reads a line on the calling thread.
///
/// With LINE_EDITOR_LINE, *line is what was typed, without its end; free it.
line_editor_ending line_editor_read(line_editor *editor, char **line);

/// Makes a reading editor ask for lines to show and the prompt. May be called from any thread.
void line_editor_wake(line_editor *editor);

/// Makes reading end, now and later. May be called from any thread.
void line_editor_stop(line_editor *editor);

/// Closes the editor; nobody may be reading.
void line_editor_close(line_editor *editor);

#endif
