# SPDX-License-Identifier: Apache-2.0
"""Names of assigned numbers, as packages of PyPI have them; see `generate-assigned-numbers`."""
import pathlib
import re
import sysconfig
import uuid

import bumble.gatt
import yaml
from bluetooth_numbers import characteristic, company, descriptor, service
from bumble.company_ids import COMPANY_IDENTIFIERS
from bumble.core import UUID, AdvertisingData, Appearance

from by_hand import NAMES

SIG = pathlib.Path(sysconfig.get_paths()["purelib"]) / "bluetooth_sig/bluetooth_sig/assigned_numbers"
# How words of Bumble's constants are written when they are not ordinary words.
WORDS = {
    "AV": "AV", "BIGINFO": "BIGInfo", "BR": "BR", "CPAP": "CPAP", "EDR": "EDR", "HID": "HID",
    "HVAC": "HVAC", "ID": "ID", "IMD": "IMD", "IOT": "IoT", "LE": "LE", "LED": "LED", "PB": "PB", "ADV": "ADV",
    "PC": "PC", "PDA": "PDA", "RFID": "RFID", "SIM": "SIM", "TK": "TK", "TX": "TX", "TV": "TV",
    "UPS": "UPS", "URI": "URI", "UUIDS": "UUIDs", "UUID": "UUID", "VR": "VR", "C": "C", "R": "R",
    "OF": "of", "AND": "and", "OUT": "out", "BIT": "bit", "THREE": "3", "D": "D", "HEARTRATE": "Heart Rate",
}


def words(constant):
    """SOME_PC_CONSTANT -> Some PC Constant."""
    text = " ".join(WORDS.get(w, w.capitalize()) for w in constant.strip("_").split("_"))
    for spoken, written in (
        ("16 bit", "16-bit"), ("32 bit", "32-bit"), ("128 bit", "128-bit"), ("PC PDA", "PC/PDA"), ("3 D ", "3D "),
        ("out of Band", "Out of Band"), ("Service Class UUIDs", "Service or Service Class UUIDs"), ("PB ADV", "PB-ADV"), ("In Ear", "In-ear"),
    ):
        text = text.replace(spoken, written)
    return text


def bumble_names(*endings):
    """Bumble's GATT constants whose name has one of the endings."""
    names = {}
    for constant, value in vars(bumble.gatt).items():
        if isinstance(value, UUID) and constant.endswith(endings):
            if len(value.uuid_bytes) == 2:
                names.setdefault(int.from_bytes(value.uuid_bytes, "little"), value.name)
            else:
                names.setdefault(uuid.UUID(bytes=bytes(reversed(value.uuid_bytes))), value.name)
    return names


def characteristics():
    """The SIG's own table has the latest; small digits stand for the marks that typeset them."""
    table = yaml.safe_load((SIG / "uuids/characteristic_uuids.yaml").read_text())["uuids"]
    own = {entry["uuid"]: re.sub(r"\\textsubscript\{(\d)\}", lambda m: "₀₁₂₃₄₅₆₇₈₉"[int(m[1])], entry["name"]) for entry in table}
    return bumble_names("_CHARACTERISTIC") | dict(characteristic) | own | NAMES["characteristic"]


def services():
    # The package has read decimal numbers as hex: what is larger than a number can be is none.
    names = bumble_names("_SERVICE") | {k: v for k, v in service.items() if isinstance(k, uuid.UUID) or k <= 0xFFFF}
    for key, name in names.items():
        if isinstance(key, uuid.UUID) or key < 0x2000:
            names[key] = re.sub(r" Service$", "", name)
    return names | NAMES["service"]


def companies():
    names = dict(COMPANY_IDENTIFIERS) | {k: v for k, v in company.items() if "\u00c3" not in v}
    return names | NAMES["company"]


def appearances():
    names = {}
    for category in Appearance.Category:
        group = int(category) << 6
        names[group] = words(category.name)
        for item in Appearance.SUBCATEGORY_CLASSES.get(category, ()):
            if int(item):
                names[group | int(item)] = words(item.name)
    return names


def digits(key, width):
    return key.hex if isinstance(key, uuid.UUID) else f"{key:0{width}x}"


def entries():
    """Names by kind and number in hex."""
    kinds = {
        "appearance": appearances(),
        "characteristic": characteristics(),
        "company": companies(),
        "descriptor": bumble_names("_DESCRIPTOR") | dict(descriptor) | NAMES["descriptor"],
        "service": services(),
        "type": {int(t): words(t.name) for t in AdvertisingData.Type},
    }
    return {
        kind: {digits(k, 2 if kind == "type" else 4): " ".join(v.split()) for k, v in names.items() if v.strip()}
        for kind, names in kinds.items()
    }
