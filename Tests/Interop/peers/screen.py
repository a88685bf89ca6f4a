# SPDX-License-Identifier: Apache-2.0
"""What a person sees: the little of a terminal of the kind xterm that a line editor uses.

Spec: ECMA-48, 8.3.
"""

from __future__ import annotations

import re

_SEQUENCE = re.compile(r"\x1b(?:\[([?\d;]*)([@-~])|[()][A-Z0-9]|[=>])")
_ESCAPE = "\x1b"


class Screen:
    """Rows of characters and a cursor; what scrolls out at the top is kept."""

    def __init__(self, columns: int = 80, rows: int = 24) -> None:
        self.columns, self.height = columns, rows
        self.lines = [""] * rows
        self.row = self.column = 0
        self.top = 0
        self.unknown: list[str] = []
        """Sequences that no line editor should send."""
        self._rest = ""

    @property
    def text(self) -> list[str]:
        """All lines down to the last one that has anything, with what has scrolled out."""
        lines = [line.rstrip() for line in self.lines]
        while lines and not lines[-1]:
            lines.pop()
        return lines

    @property
    def line(self) -> str:
        """The line with the cursor, as far as the cursor."""
        return self.lines[self.row][: self.column].ljust(self.column)

    def resize(self, columns: int, rows: int, breaks_lines: bool) -> None:
        """Makes the window another size; lines that are too long now are broken, as VTE does, or cut, as xterm does.

        Lines that were broken are not joined again when there is more room.
        """
        row, lines = self.row, self.lines
        self.lines = []
        for number, line in enumerate(lines):
            if number == row:
                self.row = len(self.lines)
            pieces = [line[start : start + columns] for start in range(0, len(line), columns)] or [""]
            self.lines += pieces if breaks_lines else pieces[:1]
        self.columns, self.height = columns, rows
        self.column = min(self.column, columns - 1)
        # What is empty below goes first, then what is above goes out at the top.
        while len(self.lines) > max(rows, self.row + 1) and not self.lines[-1]:
            self.lines.pop()
        self.lines += [""] * (rows - len(self.lines))
        self.top = len(self.lines) - rows

    @property
    def visible(self) -> list[str]:
        """The lines in the window, down to the last one that has anything."""
        return [line.rstrip() for line in self.lines[self.top : len(self.text)]]

    def feed(self, text: str) -> None:
        """Takes what a program prints."""
        text = self._rest + text
        self._rest = ""
        while text:
            if text[0] == _ESCAPE:
                match = _SEQUENCE.match(text)
                if match is None:
                    if len(text) < 16:
                        self._rest = text
                        return
                    self.unknown.append(text[:8])
                    text = text[1:]
                    continue
                if match[2]:
                    self._control(match[2], match[1])
                text = text[match.end() :]
                continue
            self._put(text[0])
            text = text[1:]

    def _put(self, character: str) -> None:
        if character == "\r":
            self.column = 0
        elif character == "\n":
            self._down()
        elif character == "\b":
            self.column = max(0, min(self.column, self.columns) - 1)
        elif character == "\t":
            self.column = min(self.columns - 1, self.column // 8 * 8 + 8)
        elif character == "\a":
            pass
        elif character < " ":
            self.unknown.append(repr(character))
        else:
            if self.column == self.columns:  # Only the next character wraps.
                self.column = 0
                self._down()
            line = self.lines[self.row].ljust(self.column)
            self.lines[self.row] = line[: self.column] + character + line[self.column + 1 :]
            self.column += 1

    def _down(self) -> None:
        self.row += 1
        if self.row == len(self.lines):
            self.lines.append("")
            self.top = len(self.lines) - self.height

    def _control(self, kind: str, parameters: str) -> None:
        count = int(parameters) if parameters.isdigit() and int(parameters) > 0 else 1
        line = self.lines[self.row].ljust(self.column)
        if kind == "A":
            self.row = max(self.top, self.row - count)
        elif kind == "B":
            self.row = min(len(self.lines) - 1, self.row + count)
        elif kind == "C":
            self.column = min(self.columns - 1, self.column + count)
        elif kind == "D":
            self.column = max(0, self.column - count)
        elif kind == "G":
            self.column = min(self.columns, count) - 1
        elif kind == "K" and parameters in ("", "0"):
            self.lines[self.row] = line[: self.column]
        elif kind == "J" and parameters in ("", "0"):
            self.lines[self.row] = line[: self.column]
            self.lines[self.row + 1 :] = [""] * (len(self.lines) - self.row - 1)
        elif kind == "J" and parameters == "2":
            self.lines[self.top :] = [""] * (len(self.lines) - self.top)
        elif kind == "H" and not parameters:
            self.row, self.column = self.top, 0
        elif kind == "P":
            self.lines[self.row] = line[: self.column] + line[self.column + count :]
        elif kind == "@":
            self.lines[self.row] = (line[: self.column] + " " * count + line[self.column :])[: self.columns]
        elif kind in "mhl":
            pass
        else:
            self.unknown.append(f"CSI {parameters}{kind}")
