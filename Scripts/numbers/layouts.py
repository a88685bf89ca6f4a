# SPDX-License-Identifier: Apache-2.0
"""Layouts of standard values, units and URI schemes, as a package of PyPI has them; see `generate-assigned-numbers`.

The layouts are facts of the Bluetooth SIG's GATT Specification Supplement; what other specifications lay out stands in
`by_hand.py`.
"""
import pathlib
import re
import sysconfig

import yaml

from by_hand import LAYOUTS, amended

DATA = pathlib.Path(sysconfig.get_paths()["purelib"]) / "bluetooth_sig/bluetooth_sig"
SKIPPED = re.compile(r"reserved|rfu|prohibited|manufacturer specific|vendor.specific", re.I)
# Symbols for the last parts of the names of units; others are shown by their names.
SYMBOLS = {
    "unitless": "", "percentage": "%", "degree_celsius": "°C", "degree_fahrenheit": "°F", "kelvin": "K",
    "metre": "m", "meter": "m", "second": "s", "minute": "min", "hour": "h", "day": "d", "year": "years",
    "volt": "V", "ampere": "A", "watt": "W", "joule": "J", "kilowatt_hour": "kWh", "kilogram": "kg",
    "kilogram_calorie": "kcal", "pascal": "Pa", "millimetre_of_mercury": "mmHg", "tesla": "T", "lux": "lx",
    "newton": "N", "newton_metre": "Nm", "degree": "°", "hertz": "Hz", "ohm": "Ω", "litre": "l", "lumen": "lm",
    "candela": "cd", "lux_hour": "lx·h", "lumen_per_watt": "lm/W", "lumen_per_hour": "lm·h",
    "beats_per_minute": "/min", "step_per_minute": "/min", "stroke_per_minute": "/min",
    "revolution_per_minute": "/min", "revolutions_per_minute": "/min", "metres_per_second": "m/s",
    "kilometre_per_hour": "km/h", "metres_per_seconds_squared": "m/s²", "metabolic_equivalent": "MET",
    "standard_acceleration_due_to_gravity": "g", "kilogram_per_cubic_meter": "kg/m³",
    "kilogram_per_liter": "kg/l", "mole_per_litre": "mol/l", "watt_per_square_metre": "W/m²",
    "cubic_metre_per_second": "m³/s", "gram_per_second": "g/s", "ppm": "ppm", "ppb": "ppb",
    "parts_per_billion": "ppb", "decibel_spl": "dB", "decibel": "dB", "count_per_cubic_metre": "/m³",
    "kelvin_per_second": "K/s", "litre_per_second": "l/s", "kilogram_per_square_metre": "kg/m²",
    "milliliter_per_kilogram_per_minute": "ml/kg/min", "kilovolt_ampere_hour": "kVAh", "volt_ampere": "VA",
}
SPECIAL = re.compile(
    r"value of (0x[0-9A-Fa-f]+|-?\d+):?\s+(?:represents|means):?\s*[\"'“”‘’]?\s*(?:value is )?([^\"'“”‘’.\n]+)", re.I)


def load(path):
    return yaml.safe_load(path.read_text())


def unmarked(text):
    """The text with small signs in place of the marks that typeset them."""
    for mark, signs in (("sub", "₀₁₂₃₄₅₆₇₈₉ₙ"), ("super", "⁰¹²³⁴⁵⁶⁷⁸⁹ⁿ")):
        small = str.maketrans("0123456789n", signs)
        text = re.sub(r"\\text%sscript\{([\dn]+)\}" % mark, lambda m: m[1].translate(small), text)
    return text


def special(text, bits, is_signed, unit):
    """Words for numbers that stand for no number, but for "not known"."""
    for number, meaning in SPECIAL.findall(text):
        value, meaning = int(number, 0), meaning.strip(" ,;")
        if is_signed and value >= 1 << bits - 1:
            value -= 1 << bits
        if re.match(r"(is )?(not known|unknown)", meaning, re.I) or len(meaning) > 44:
            continue
        if meaning[1:2].islower():
            meaning = meaning[0].lower() + meaning[1:]
        meaning = re.sub(r"0x[0-9A-Fa-f]+", lambda m: str(int(m[0], 16)), meaning)
        yield f"{value}=" + (re.sub(r"-?\d+", rf"\g<0> {unit}", meaning) if unit else meaning)


def label(text, limit=44):
    """A short name out of a description, or nothing when it is prose."""
    text = re.sub(r"\\\w+(\{[^}]*\})?", "", unmarked(" ".join(text.split()))).strip(" .:;")
    text = re.sub(r"\s*\([^)]*\)", "", re.sub(r"[{}|;=]", " ", text)).replace("/", " or ").replace(":", "")
    text = re.sub(r" support bit$| feature (not )?supported$", lambda m: " " + (m[1] or "") + "supported", text)
    return "" if len(text) > limit or SKIPPED.search(text) else " ".join(text.split())


def bits(values, used):
    """Labels of a field of bits; a label may have a word for each value of its bits."""
    parts = []
    for value in values:
        where = str(value.get("bit", "")).replace("–", "-").strip()
        if not re.fullmatch(r"\d+(-\d+)?", where) or ("-" not in where and int(where) in used):
            continue
        lines = [line.strip() for line in (value.get("description") or "").split("\n") if line.strip()]
        words = dict(re.findall(r"(\d+)\s*[=:]\s*([^\n]+)", "\n".join(lines[1:])))
        name = label(lines[0], 80) if lines else ""
        no = words.get("0", "").lower()
        plain = "-" not in where and re.search(r"\bno\b|\bnot\b|^false", no)
        chosen = [label(words[k]) for k in sorted(words, key=int)] if words and not plain else []
        if any(not word for word in chosen[:2]):
            chosen = []
        if name and (chosen or "-" not in where):
            parts.append(f"{where}={name}" + (":" + "/".join(chosen) if chosen else ""))
    return parts


def choices(description, values):
    """Words for the values of a number."""
    found = re.findall(r"^(\d+|0x[0-9A-Fa-f]+)\s*[:=]\s*(.+)$", description, re.M)
    found += [(str(v.get("value", "")), v.get("definition") or v.get("description") or "") for v in values]
    parts = []
    for key, text in found:
        if re.fullmatch(r"\d+|0x[0-9A-Fa-f]+", key) and label(text):
            parts.append(f"{int(key, 0)}={label(text)}")
    return list(dict.fromkeys(parts))


class Unreadable(Exception):
    pass


class Formats:
    def __init__(self):
        documents = [load(path)["characteristic"] for path in sorted((DATA / "gss").glob("*.yaml"))]
        self.documents = {document["identifier"]: document for document in documents}
        numbers = load(DATA / "assigned_numbers/uuids/characteristic_uuids.yaml")["uuids"]
        self.numbers = {number["id"]: number["uuid"] for number in numbers}

    def fields(self, document, depth=0):
        parts = document.get("fields") or []
        values = {re.sub(r"\W| values?$", "", p["name"].lower()): p.get("values") or [] for p in parts}
        structure = document.get("structure") or []
        used = {int(bit) for s in structure for bit in re.findall(r"resent if bit (\d+)", s["description"] or "")}
        flags = next((s["field"] for s in structure if s["type"].startswith("boolean")), None)
        for item in structure:
            key = re.sub(r"\W", "", item["field"].lower())
            own = values.get(key) or (parts[0].get("values") or [] if len(structure) == len(parts) == 1 else [])
            yield from self.field(item, item["type"], own, flags, used if item["field"] == flags else (), depth)

    def field(self, item, kind, values, flags, used, depth, inherited=""):
        text = item.get("description") or ""
        name = re.sub(r"\s*\(.*?\)|.*Compound Value - | Measurement Value$", "", item["field"])
        name = unmarked(re.sub(r"\s*/\s*", " or ", name)).replace(";", "").strip()
        condition = inherited
        present = re.search(r"resent if bit (\d+) of (?:the )?(.+?) fields? is set to (\d)", text)
        if present:
            if present[2] not in ("Flag", flags):
                raise Unreadable(text)
            condition = f",{'?' if present[3] == '1' else '!'}{present[1]}"
        elif "resent if" in text:
            raise Unreadable(text)
        elif str(item.get("size", "")).startswith("0") and not inherited and not kind.startswith("utf8s"):
            condition = ",o"
        if kind == "struct":
            yield from self.structure(item, text, values, condition, name, depth)
            return
        bare = re.match(r"(u|s)int(8|16|24|32|48|64)(\[n\])?$", kind)
        if bare:
            form, labels = bare[1] + bare[2] + ("[]" if bare[3] else ""), choices(text, values)
            same = re.search(r"same as the format of .*?\\autoref\{sec:([\w.]+?)\}", text)
            if same and same[1] in self.documents:
                inner = next(self.fields(self.documents[same[1]], depth + 1))
                labels = inner.partition("{")[2].rstrip("}").split("|")
            zero = re.search(r"special value is defined: 0 = .*? is not known", text)
            labels = labels or (["0=not known"] if zero else [])
            labels = labels or list(special(text, int(bare[2]), bare[1] == "s", self.symbol(text)))
        elif kind.startswith("boolean["):
            listed = [{"bit": k, "description": v} for k, v in re.findall(r"^(\d+): (.+)$", text, re.M)]
            form, labels = "b" + kind[8:-1], bits(values or listed, used)
        elif kind in ("medfloat16", "medfloat32"):
            form, labels = "m" + kind[8:], []
        elif kind.startswith("utf8s"):
            form, labels = "t", []
        elif kind == "gatt_uuid":
            form, labels = "uuid", []
        else:
            raise Unreadable(kind)
        width = int(re.sub(r"\D", "", form) or 8)
        yield form + condition + self.scale(text, width) + f" {name}" + ("{" + "|".join(labels) + "}" if labels else "")

    def structure(self, item, text, values, condition, name, depth):
        reference = re.search(r"[Rr]efer to (?:the )?.*?characteristic in \\autoref\{sec:([\w.]+?)\}", text)
        same = re.search(r"same as .*?\\autoref\{sec:([\w.]+?)\}", text)
        if values and "field" in values[0]:
            for value in values:
                part = {"field": value["field"], "description": value.get("description"), "size": value.get("size")}
                yield from self.field(part, value.get("data_type", ""), [], None, (), depth, condition)
        elif (reference or same) and depth < 3:
            identifier = (reference or same)[1]
            if identifier.endswith(".date_time"):
                yield f"date{condition} {name}"
                return
            if identifier not in self.documents:
                raise Unreadable(identifier)
            by_hand = LAYOUTS.get(f"{self.numbers.get(identifier, 0):04x}")
            inner = by_hand.split(";") if by_hand else list(self.fields(self.documents[identifier], depth + 1))
            if len(inner) == 1:
                form, rest = inner[0].split(" ", 1)
                inner = [f"{form} {name}" + ("{" + rest.partition("{")[2] if "{" in rest else "")]
            if condition and any("," in field.split(" ")[0] and ("?" in field or "!" in field) for field in inner):
                raise Unreadable("conditions in conditions")
            for field in inner:
                form, rest = field.split(" ", 1)
                base, _, modifiers = form.partition(",")
                yield base + condition + ("," + modifiers if modifiers else "") + " " + rest
        else:
            raise Unreadable(text)

    def scale(self, text, bits):
        parts = ""
        factor = re.search(r"M\s*=\s*(-?\s*\d+),?\s*d\s*=\s*(-?\s*\d+),?\s*(?:and\s*)?b\s*=\s*(-?\s*\d+)", text)
        if factor and factor.groups() != ("1", "0", "0"):
            parts += ",x" + ":".join(number.replace(" ", "") for number in factor.groups())
        for number, meaning in SPECIAL.findall(text):
            if re.match(r"(is )?(not known|unknown)", meaning.strip(), re.I):
                parts += f",n{int(number, 0) & (1 << bits) - 1:x}"
                break
        symbol = self.symbol(text)
        return parts + (f",u{symbol}" if symbol else "")

    def symbol(self, text):
        unit = re.search(r"org\.bluetooth\.unit\. ?([\w.]+\w)", text)
        return SYMBOLS.get(unit[1].split(".")[-1], "") if unit else ""

    def lines(self):
        lines = dict(LAYOUTS)
        left_out = []
        for identifier, document in self.documents.items():
            number = self.numbers.get(identifier)
            if number is None or f"{number:04x}" in lines:
                continue
            try:
                fields = list(self.fields(document))
            except Unreadable:
                left_out.append(document["name"])
                continue
            if fields:
                lines[f"{number:04x}"] = ";".join(fields)
        print(f"{len(lines)} formats; left out: {', '.join(left_out)}")
        return {number: amended(number, line) for number, line in lines.items()}


def entries():
    """Layouts, units and schemes by kind and number in hex."""
    units = load(DATA / "assigned_numbers/uuids/units.yaml")["uuids"]
    schemes = load(DATA / "assigned_numbers/core/uri_schemes.yaml")["uri_schemes"]
    # Minutes and seconds of an angle are none of time.
    timely = [u for u in units if "plane_angle" not in u["id"] or u["uuid"] == 0x2763]
    symbols = {u["uuid"]: SYMBOLS.get(u["id"].split(".")[-1]) for u in timely}
    return {
        "format": Formats().lines(),
        "scheme": {f"{s['value']:04x}": s["name"] for s in schemes if ":" in s["name"]},
        "symbol": {f"{number:04x}": symbol for number, symbol in symbols.items() if symbol},
        "unit": {f"{u['uuid']:04x}": unmarked(u["name"]) for u in units},
    }
