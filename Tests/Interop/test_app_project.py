# SPDX-License-Identifier: Apache-2.0
"""The project of the iPhone app, read by somebody else's reader of Xcode projects, and what lies beside it."""
import json
import pathlib
import plistlib
import re
import struct

import pytest
from pbxproj import XcodeProject

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
APP = ROOT / "Apps/Lantern"


@pytest.fixture(scope="module")
def objects():
    project = XcodeProject.load(str(ROOT / "Apps/Lantern.xcodeproj/project.pbxproj"))
    return {key: project.objects[key] for key in project.objects.get_keys()}, project.rootObject


def fields(value):
    """Every text within an object."""
    if isinstance(value, dict):
        return [text for each in value.values() for text in fields(each)]
    if isinstance(value, list):
        return [text for each in value for text in fields(each)]
    return [str(value)]


def plain(thing):
    """An object of the reader as dictionaries, lists and texts."""
    if hasattr(thing, "get_keys"):
        return {key: plain(thing[key]) for key in thing.get_keys()}
    if isinstance(thing, list):
        return [plain(each) for each in thing]
    return str(thing)


def test_every_reference_leads_somewhere_and_everything_is_referred_to(objects):
    objects, root = objects
    named = {text for each in objects.values() for text in fields(plain(each)) if re.fullmatch(r"[0-9A-F]{24}", text)}
    assert named - set(objects) == set()
    assert set(objects) - named - {str(root)} == set()
    assert objects[str(root)].isa == "PBXProject"


def test_every_source_is_in_the_only_target(objects):
    objects, _ = objects
    [target] = [each for each in objects.values() if each.isa == "PBXNativeTarget"]
    [folder] = [objects[str(key)] for key in target.fileSystemSynchronizedGroups]
    assert folder.isa == "PBXFileSystemSynchronizedRootGroup" and folder.path == "Lantern"
    left_out = [str(name) for key in folder.exceptions for name in objects[str(key)].membershipExceptions]
    assert left_out == ["Info.plist"]
    # What is not in the folder is not built.
    assert [each.name for each in (ROOT / "Apps").rglob("*.swift") if APP not in each.parents] == []
    assert {objects[str(key)].isa for key in target.buildPhases} == {
        "PBXSourcesBuildPhase", "PBXFrameworksBuildPhase", "PBXResourcesBuildPhase"}


def test_products_are_those_of_the_package_that_the_app_imports(objects):
    objects, _ = objects
    products = {str(each.productName) for each in objects.values() if each.isa == "XCSwiftPackageProductDependency"}
    linked = {
        str(objects[str(each.productRef)].productName) for each in objects.values() if each.isa == "PBXBuildFile"}
    imports = set(re.findall(r"^import (\w+)$", (APP / "LanternMain.swift").read_text(encoding="utf-8"), re.MULTILINE))
    assert products == linked == imports - {"SwiftUI"}
    [package] = [each for each in objects.values() if each.isa == "XCLocalSwiftPackageReference"]
    manifest = (ROOT / "Apps" / str(package.relativePath) / "Package.swift").read_text(encoding="utf-8")
    assert all(f'"{product}"' in manifest for product in products)


def test_systems_are_those_of_the_package(objects):
    objects, _ = objects
    settings = [plain(each.buildSettings) for each in objects.values() if each.isa == "XCBuildConfiguration"]
    assert len(settings) == 4
    manifest = (ROOT / "Package.swift").read_text(encoding="utf-8")
    wanted = dict(re.findall(r"\.(macOS|iOS)\(\.v(\d+)\)", manifest))
    # The debug and the release settings of the project.
    for key, system in [("IPHONEOS_DEPLOYMENT_TARGET", "iOS"), ("MACOSX_DEPLOYMENT_TARGET", "macOS")]:
        assert [each[key] for each in settings if key in each] == [wanted[system] + ".0"] * 2


def test_what_the_app_asks_for_has_its_sentence():
    information = plistlib.loads((APP / "Info.plist").read_bytes())
    sources = "".join(
        file.read_text(encoding="utf-8") for file in [*(ROOT / "Sources/App").rglob("*.swift"), *APP.rglob("*.swift")])
    asked = {
        "NSBluetoothAlwaysUsageDescription": "coreBluetooth(", "NSLocationWhenInUseUsageDescription": "CLServiceSession(",
        "NSMotionUsageDescription": "CMMotionActivityManager("}
    for key, call in asked.items():
        assert call in sources
        assert information[key].endswith(".") and len(information[key]) > 40
    assert {key for key in information if key.endswith("UsageDescription")} == set(asked)
    assert information["UIBackgroundModes"] == ["bluetooth-central", "bluetooth-peripheral", "location"]


def test_the_privacy_manifest_says_that_nothing_is_collected():
    manifest = plistlib.loads((APP / "PrivacyInfo.xcprivacy").read_bytes())
    assert manifest["NSPrivacyTracking"] is False
    assert manifest["NSPrivacyCollectedDataTypes"] == manifest["NSPrivacyTrackingDomains"] == []
    for each in manifest["NSPrivacyAccessedAPITypes"]:
        assert each["NSPrivacyAccessedAPIType"].startswith("NSPrivacyAccessedAPICategory")
        assert each["NSPrivacyAccessedAPITypeReasons"]


def test_the_icon_is_there_and_opaque():
    icons = json.loads((APP / "Assets.xcassets/AppIcon.appiconset/Contents.json").read_text(encoding="utf-8"))["images"]
    for icon in icons:
        data = (APP / "Assets.xcassets/AppIcon.appiconset" / icon["filename"]).read_bytes()
        # Eight bits a colour, and no alpha, which the App Store refuses.
        assert struct.unpack(">IIBB", data[16:26]) == (1024, 1024, 8, 2)
