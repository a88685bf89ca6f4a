// SPDX-License-Identifier: Apache-2.0

import BLEAssignedNumbers
import BLEWire
import Testing

/// The table of standard values, typed a second time from the supplement's tables and those of services.
@Suite("Layouts of standard values")
struct StandardLayoutTests {
    /// UUID, octets and what they say.
    typealias Row = (UInt16, String, [String])

    /// Machines for sport; a level of resistance has one octet today, and had two before.
    static let fitness: [Row] = [
        (0x2AD2, "2000 e803 0a", ["10.00 km/h", "10"]), (0x2AD2, "2000 e803 f6ff", ["10.00 km/h", "-10"]),
        (0x2AD2, "6402 0000 0000 14 0000 00", ["0.00 km/h", "0 /min", "20", "0 W", "0 /min"]),
        (0x2AD2, "6402 0000 0000 1400 0000 00", ["0.00 km/h", "0 /min", "20", "0 W", "0 /min"]),
        (0x2AD2, "0500 b400", ["90 /min"]), (0x2AD6, "00 64 01", ["0", "100", "1"]),
        (0x2AD6, "0000 6400 0100", ["0.0", "10.0", "0.1"]),
        (0x2ACE, "800000 e803 0a", ["Movement Direction: Forward", "10.00 km/h", "10"]),
        (0x2ACE, "800000 e803 0a00", ["Movement Direction: Forward", "10.00 km/h", "1.0"]),
        (0x2ACE, "008000 e803", ["Movement Direction: Backward", "10.00 km/h"]),
        (
            0x2ACE, "780000 0000 6400 6500 0a00 0300 0400 0500 f6ff",
            [
                "Movement Direction: Forward", "0.00 km/h", "100 /min", "101 /min", "1.0", "3 m", "4 m",
                "0.5%", "-1.0 °",
            ]
        ),
        (0x2AD1, "8000 28 1000 05", ["20 /min", "16", "5"]),
        (0x2AD1, "8000 28 1000 f6ff", ["20 /min", "16", "-10"]),
        (0x2AD1, "2c00 28 1000 640000 7800 6400", ["20 /min", "16", "100 m", "120 s", "100 W"]),
        (
            0x2ACD, "9c15 e803 640000 0500 0600 0a00 0b00 0400 0500 06 4e 2c01 0700 0800",
            [
                "10.00 km/h", "100 m", "0.5%", "0.6 °", "1.0 m", "1.1 m", "4 kcal", "5 kcal", "6 kcal",
                "78 /min", "300 s", "7 N", "8 W",
            ]
        ),
        (0x2ACF, "0600 0100 0200 6400 6500", ["1", "2", "100 /min", "101 /min"]),
        (0x2AD0, "1200 0100 6400 0a00", ["1", "100 /min", "10"]),
        (0x2AD3, "01 0d 48656c6c6f", ["Manual Mode", "Hello"]),
        (0x2AD4, "6400 0807 0a00", ["1.00 km/h", "18.00 km/h", "0.10 km/h"]),
        (0x2AD5, "9cff 6400 0500", ["-10.0%", "10.0%", "0.5%"]),
        (0x2AD7, "28 b4 01", ["40 /min", "180 /min", "1 /min"]),
        (0x2AD8, "9cff e803 0500", ["-100 W", "1000 W", "5 W"]),
    ]

    /// What is measured of bodies, and on the way.
    static let bodies: [Row] = [
        (0x2A9D, "00 b036", ["70.000 kg"]), (0x2A9D, "01 983a", ["150.00 lb"]),
        (
            0x2A9D, "0e b036 ea070b1a0b162d 01 e600 d606",
            [
                "70.000 kg", "2026-11-26 11:22:45", "1", "23.0 kg/m²", "1.750 m",
            ]
        ),
        (0x2A9D, "09 983a e600 bc02", ["150.00 lb", "23.0 kg/m²", "70.0 in"]),
        (0x2A9D, "04 ffff ff", ["not measured", "unknown user"]), (0x2A9C, "0000 fa00", ["25.0%"]),
        (0x2A9C, "0014 fa00 b036", ["more in another value", "25.0%", "70.000 kg"]),
        (
            0x2A9C, "f80f fa00 401f 2c01 401f 401f 401f 401f 8813 401f 0807",
            [
                "25.0%", "8000000 J", "30.0%", "40.000 kg", "40.000 kg", "40.000 kg", "40.000 kg", "500.0 Ω",
                "40.000 kg", "1.800 m",
            ]
        ),
        (0x2A9C, "210c fa00 401f 401f bc02", ["25.0%", "80.00 lb", "80.00 lb", "70.0 in"]),
        (0x2A9C, "0000 ffff", ["not measured"]),
        (
            0x2A9E, "09000000",
            [
                "Time Stamp Supported, Weight Measurement Resolution: Resolution of 0.5 kg or 1 lb, "
                    + "Height Measurement Resolution: Not specified"
            ]
        ),
        (0x2A98, "b036", ["70.000 kg"]), (0x2A8E, "af00", ["1.75 m"]), (0x2B47, "5c44", ["1.7500 m"]),
        (0x2A97, "5000", ["0.80 m"]), (0x2A36, "00 5000 0000 ff07", ["80 mmHg", "0", "not known"]),
        (0x2A35, "01 10f0 ff07 ff07", ["1600 Pa", "not known", "not known"]),
        (0x2A1C, "03 6200 0000 ea070b1a0b162d", ["98 °F", "2026-11-26 11:22:45"]),
        (0x2A1C, "04 6e0100ff 09", ["36.6 °C", "Tympanum"]), (0x2A1D, "03", ["Ear"]),
        (
            0x2A18, "06 1200 ea070b1a0b162d 40c0 f8",
            [
                "18", "2026-11-26 11:22:45", "6.4 mmol/l",
                "Type: Undetermined Plasma, Location: not available",
            ]
        ),
        (0x2A18, "04 1200 ea070b1a0b162d", ["18", "2026-11-26 11:22:45"]),
        (
            0x2A18, "09 0100 ea070b1a0b162d 0a00 0300",
            [
                "1", "2026-11-26 11:22:45", "10 min", "Device battery low, Sensor malfunction",
            ]
        ),
        (0x2A34, "03 0100 01 1ee0 02", ["1", "Breakfast", "300 g", "after a meal"]),
        (0x2A37, "10 48 0004", ["72 /min", "1 s"]),
        (0x2A53, "04 0001 5a", ["Walking or Running Status: Running", "1 m/s", "90"]),
        (
            0x2A53, "03 8001 5a 9600 e8030000",
            [
                "Walking or Running Status: Walking", "1.5 m/s", "90", "1.50 m", "100.0 m",
            ]
        ),
        (0x2A5B, "02 0200 f00c", ["2", "3.2344 s"]),
        (0x2A63, "2000 fa00 320a 0008", ["Torque at: the wheel", "250 W", "2610", "2 s"]),
        (0x2A63, "0300 9cff 9c", ["Balance is of the left pedal, Torque at: the wheel", "-100 W", "78%"]),
        (0x2A63, "0c01 fa00 2000 0a4001", ["Torque at: the crank", "250 W", "1 Nm", "10 ° and 20 °"]),
        (
            0x2A63, "c000 0000 6400 9cff 2000 e0ff",
            [
                "Torque at: the wheel", "0 W", "100 N", "-100 N", "1 Nm", "-1 Nm",
            ]
        ),
        (0x2A63, "1008 fa00 10000000 0008 0500", ["Torque at: the wheel", "250 W", "16", "1 s", "5000 J"]),
        (
            0x2A67, "0510 e803 0065cd1d 00ca9a3b",
            [
                "Position Status: No Position, Speed and Distance format: 2D, Elevation Source: "
                    + "Positioning System, Heading Source: Heading based on magnetic compass",
                "10.00 m/s", "50.0000000 °", "100.0000000 °",
            ]
        ),
        (0x2A69, "6000 05 06", ["Position Status: No Position", "1.0", "1.2"]),
    ]

    /// The Pulse Oximeter Service, which the supplement leaves to itself.
    static let oximeters: [Row] = [
        (0x2A5E, "00 6200 4800", ["98%", "72 /min"]),
        (
            0x2A5E, "0f 6200 4800 ea070b1a0b162d 0001 080000 19f0",
            [
                "98%", "72 /min", "2026-11-26 11:22:45", "Fully Qualified Data", "Inadequate Signal Detected",
                "2.5%",
            ]
        ),
        (0x2A5E, "10 ff07 ff07", ["the clock is not set", "not known", "not known"]),
        (0x2A5F, "03 6200 4800 6100 4900 6000 4700", ["98%", "72 /min", "97%", "73 /min", "96%", "71 /min"]),
        (
            0x2A5F, "1c 6200 4800 2000 008000 0500",
            [
                "98%", "72 /min", "Measurement Ongoing", "Sensor Disconnected", "5%",
            ]
        ),
        (
            0x2A60, "0300 2001 010000",
            [
                "Measurement Status, Device and Sensor Status", "Measurement Ongoing, Fully Qualified Data",
                "Extended Display Update Ongoing",
            ]
        ),
    ]

    /// The Continuous Glucose Monitoring Service: records that say their size, and more of them in one value.
    static let glucose: [Row] = [
        (0x2AA7, "06 00 7800 0500", ["120 mg/dl", "5 min"]),
        // With a sum at its end, which only the features tell of.
        (0x2AA7, "08 00 7800 0500 3412", ["120 mg/dl", "5 min", "0x1234"]),
        (
            0x2AA7, "0d e3 7800 0500 02 08 04 05f0 6400",
            [
                "120 mg/dl", "5 min", "Device battery low", "Calibration required",
                "Sensor result lower than the hypo level", "0.5 mg/dl/min", "100%",
            ]
        ),
        (0x2AA7, "07 20 4600 0a00 10", ["70 mg/dl", "10 min", "Sensor rate of decrease exceeded"]),
        (
            0x2AA7, "06 00 7800 0500 08 01 7900 0600 fbff",
            ["120 mg/dl", "5 min", "121 mg/dl", "6 min", "-0.5 mg/dl/min"]
        ),
        (0x2AA7, "06 00 ff07 0000", ["not known", "0 min"]),
        (
            0x2AA9, "0500 010080 3412",
            ["5 min", "Session stopped, Sensor result higher than the device can process", "0x1234"]
        ),
        (0x2AA9, "0500 000200", ["5 min", "Calibration not allowed"]),
    ]

    /// Forces on a crank: as many as there is room for.
    static let vectors: [Row] = [
        (
            0x2A64, "17 0200 0008 5a00 6400 9cff 0000",
            [
                "Instantaneous Measurement Direction: Tangential Component", "2", "2 s", "90 °",
                "100 N -100 N 0 N",
            ]
        ),
        (0x2A64, "28 4000 e0ff", ["Instantaneous Measurement Direction: Radial Component", "2 Nm -1 Nm"]),
        (0x2A64, "30", ["Instantaneous Measurement Direction: Lateral Component"]),
        (0x2A64, "02 0e01", ["Instantaneous Measurement Direction: Unknown", "270 °"]),
        (0x2A64, "04", ["Instantaneous Measurement Direction: Unknown"]),
    ]

    /// What a machine for sport tells of changes; the first octet says what follows.
    static let changes: [Row] = [
        (0x2ADA, "01", ["Reset"]), (0x2ADA, "02 01", ["Stopped or paused by the user", "Stop"]),
        (0x2ADA, "02 02", ["Stopped or paused by the user", "Pause"]),
        (0x2ADA, "03", ["Stopped by the safety key"]), (0x2ADA, "04", ["Started or resumed by the user"]),
        (0x2ADA, "05 e803", ["Target speed changed", "10.00 km/h"]),
        (0x2ADA, "06 f6ff", ["Target incline changed", "-1.0%"]),
        (0x2ADA, "07 32", ["Target resistance level changed", "5.0"]),
        (0x2ADA, "08 9cff", ["Target power changed", "-100 W"]),
        (0x2ADA, "09 78", ["Target heart rate changed", "120 /min"]),
        (0x2ADA, "0a 2c01", ["Targeted expended energy changed", "300 kcal"]),
        (0x2ADA, "0b e803", ["Targeted number of steps changed", "1000"]),
        (0x2ADA, "0c e803", ["Targeted number of strides changed", "1000"]),
        (0x2ADA, "0d 102700", ["Targeted distance changed", "10000 m"]),
        (0x2ADA, "0e 0807", ["Targeted training time changed", "1800 s"]),
        (0x2ADA, "0f 3c00 7800", ["Targeted time in two heart rate zones changed", "60 s", "120 s"]),
        (
            0x2ADA, "10 0100 0200 0300",
            ["Targeted time in three heart rate zones changed", "1 s", "2 s", "3 s"]
        ),
        (
            0x2ADA, "11 0100 0200 0300 0400 0500",
            ["Targeted time in five heart rate zones changed", "1 s", "2 s", "3 s", "4 s", "5 s"]
        ),
        (
            0x2ADA, "12 e803 38ff 28 33",
            ["Indoor bike simulation parameters changed", "1.000 m/s", "-2.00%", "0.0040", "0.51 kg/m"]
        ),
        (0x2ADA, "13 3d08", ["Wheel circumference changed", "210.9 mm"]),
        (0x2ADA, "14 04", ["Spin down status", "Stop pedaling"]),
        (0x2ADA, "15 b500", ["Targeted cadence changed", "90.5 /min"]),
        (0x2ADA, "ff", ["Control permission lost"]),
    ]

    /// Records whose size cannot be, and octets that no record has.
    @Test(
        "say what is wrong with records and codes",
        arguments: [
            (0x2AA7, "00"), (0x2AA7, "07 00 7800 0500"), (0x2AA7, "05 00 7800 05"),
            (0x2AA7, "06 00 7800 0500 03"),
            (0x2AA7, "0a 00 7800 0500 3412 5678"), (0x2AA7, ""), (0x2ADA, "01 00"), (0x2ADA, "05 e8"),
            (0x2ADA, "16 01"), (0x2A64, "04 64"),
        ] as [(UInt16, String)])
    func misfits(uuid: UInt16, hex: String) throws {
        let octets = try #require([UInt8](hexadecimal: hex))
        #expect(StandardValue.decode(octets, of: BluetoothUUID(uuid))?.misfit != nil)
    }

    /// Times, and what stands for none.
    static let times: [Row] = [
        (0x2A0E, "80", ["not known"]), (0x2A0E, "f0", ["-240 min"]), (0x2A0E, "16", ["330 min"]),
        (0x2A0E, "38", ["840 min"]), (0x2A0E, "d0", ["-720 min"]), (0x2A0D, "08", ["Double Daylight Time"]),
        (0x2A0D, "ff", ["DST offset unknown"]), (0x2A0F, "e0 00", ["-480 min", "Standard Time"]),
        (0x2A0F, "80 ff", ["not known", "DST offset unknown"]), (0x2A12, "ff", ["not known"]),
        (0x2A12, "fd", ["31.625 s"]), (0x2A12, "00", ["0 s"]),
        (0x2A14, "02 fe ff ff", ["GPS", "more than 31.625 s", "255 d or more", "255 d or more"]),
        (0x2A14, "00 08 01 17", ["Unknown", "1 s", "1 d", "23 h"]),
        (0x2A17, "01 04", ["Update Pending", "Timeout"]), (0x2A09, "07", ["Sunday"]),
        (0x2A2B, "ea070b1a0b162d 04 80 08", ["2026-11-26 11:22:45", "Thursday", "128", "Change of DST"]),
        (0x2A11, "ea070b1a0b162d 04", ["2026-11-26 11:22:45", "Daylight Time"]),
        (0x2A13, "06", ["Cellular Network"]), (0x2B13, "fe", ["the total life of the device"]),
        (0x2B13, "41", ["1.10 s"]), (0x2B13, "3f", ["0.909 s"]), (0x2B12, "0f", ["1.5 h"]),
        (0x2B15, "e80300", ["1.000 s"]), (0x2B16, "3c00", ["60 s"]), (0x2B17, "ff", ["not known"]),
        (0x2B14, "180000", ["24 h"]),
    ]

    /// What is measured around, and what is left.
    static let surroundings: [Row] = [
        (0x2A6C, "10ffff", ["-2.40 m"]), (0x2A70, "e803", ["10.00 m/s"]), (0x2A72, "e803", ["10.00 m/s"]),
        (0x2A73, "2823", ["90.00 °"]), (0x2A74, "0f", ["1.5"]), (0x2A75, "010000", ["1 /m³"]),
        (0x2A76, "07", ["7"]), (0x2A77, "0a00", ["1.0 W/m²"]), (0x2A78, "0500", ["0.005 m"]),
        (0x2A79, "f6", ["-10 °C"]), (0x2A7A, "1e", ["30 °C"]), (0x2A7B, "fb", ["-5 °C"]),
        (0x2A2C, "2823", ["90.00 °"]), (0x2AA0, "0a00 f6ff", ["0.0000010 T", "-0.0000010 T"]),
        (0x2AA1, "0a00 f6ff 6400", ["0.0000010 T", "-0.0000010 T", "0.0000100 T"]),
        (0x2AA3, "05", ["Falling before a lesser rise"]), (0x2B8C, "9001", ["400 ppm"]),
        (0x2B8C, "feff", ["65534 ppm or greater"]), (0x2B8C, "ffff", ["not known"]),
        (0x2BE7, "2c01", ["300 ppb"]), (0x2BE7, "feff", ["65534 ppb or greater"]), (0x2BE4, "37", ["55 dB"]),
        (0x2BE4, "fe", ["254 dB or greater"]), (0x2BE8, "3200", ["50 Hz"]),
        (0x2BE8, "0000", ["DC power supply"]), (0x2AE0, "6400 40", ["1.00 A", "1.00 s"]),
        (0x2AE1, "4000 40", ["1 V", "1.00 s"]), (0x2AEE, "6400", ["1.00 A"]), (0x2AEE, "ffff", ["not known"]),
        (0x2AEF, "6400 c800", ["1.00 A", "2.00 A"]), (0x2AEA, "0500", ["5"]),
        (0x2AEB, "ffffff", ["not known"]), (0x2AF2, "0a0000", ["10 kWh"]), (0x2AFB, "e80300", ["10.00 lx"]),
        (0x2AFC, "0a00", ["1.0 lm/W"]), (0x2AFF, "2003", ["800 lm"]), (0x2B01, "0a00", ["10 cd"]),
        (0x2B04, "c8", ["100%"]), (0x2B05, "e80300", ["100.0 W"]), (0x2B05, "feffff", ["not valid"]),
        (0x2B0D, "2b", ["21.5 °C"]), (0x2B0D, "7f", ["not known"]),
        (0x2B10, "0080 9001", ["not known", "4.00 °C"]), (0x2B18, "c000", ["3 V"]),
        (0x2B18, "ffff", ["not known"]), (0x2B1B, "e803", ["1.000 l/s"]), (0x2B02, "0500", ["5 g/s"]),
        (0x2AE2, "01", ["True"]), (0x2AE9, "8c0a", ["2700 K"]), (0x2AE9, "ffff", ["not known"]),
        (0x2AE6, "0a", ["0.0010"]), (0x2BEA, "01 64", ["100%"]), (0x2BEC, "2000 00 06", ["Lithium Polymer"]),
        (
            0x2BED, "02 2102 5f",
            [
                "Battery Present, Wired External Power Source Connected: No, Wireless External Power "
                    + "Source Connected: No, Battery Charge State: Charging, Battery Charge Level: Unknown, "
                    + "Charging Type: Constant Current",
                "95%",
            ]
        ),
        (0x2BEE, "01 640000 feffff", ["100 min", "greater than 16777213 min"]), (0x2C1B, "64", ["50%"]),
        (0x2C0B, "6400 0000", ["1.00 Nm"]), (0x2C20, "02", ["Tilted or Ajar"]),
        (0x2A06, "02", ["High Alert"]), (0x2A45, "01 03", ["Email", "3"]),
        (0x2A50, "01 5900 0100 0001", ["Bluetooth SIG", "0x0059", "0x0001", "0x0100"]),
        (0x2A4F, "6000 3000", ["60.000 ms", "30.000 ms"]), (0x2A8C, "01", ["Female"]),
        (0x2A9A, "ff", ["Unknown User"]), (0x2AA6, "01", ["yes"]), (0x2A99, "05000000", ["5"]),
        (0x2AE7, "64", ["100"]), (0x2B49, "bc02", ["0.700 m"]), (0x2A96, "2d", ["45 ml/kg/min"]),
        (0x2ACC, "0500 0000 0c00 0000", ["Average Speed, Total Distance", "Resistance, Power"]),
    ]

    @Test(
        "say what they mean",
        arguments: fitness + bodies + oximeters + glucose + vectors + changes + times + surroundings)
    func meaning(uuid: UInt16, hex: String, texts: [String]) throws {
        let octets = try #require([UInt8](hexadecimal: hex))
        let value = try #require(StandardValue.decode(octets, of: BluetoothUUID(uuid)))
        #expect(value.misfit == nil)
        #expect(value.fields.map(\.text) == texts)
    }

    /// Marks of the papers' typesetting, such as `\textsubscript{2}`.
    @Test("and names have no marks for printers")
    func names() {
        func isClean(_ text: String?) -> Bool { text?.contains { "\\{}$".contains($0) } != true }
        for number in UInt16(0x1800)...0x2CFF {
            let uuid = BluetoothUUID(number)
            #expect(isClean(AssignedNumbers.name(ofService: uuid)), "\(uuid)")
            #expect(isClean(AssignedNumbers.name(ofUnit: uuid)), "\(uuid)")
            #expect(isClean(AssignedNumbers.name(ofDescriptor: uuid)), "\(uuid)")
            #expect(isClean(AssignedNumbers.name(ofCharacteristic: uuid)), "\(uuid)")
            let value = StandardValue.decode([UInt8](repeating: 0, count: 64), of: uuid)
            for field in value?.fields ?? [] {
                #expect(isClean(field.name) && isClean(field.unit), "\(uuid)")
                #expect(field.isText || isClean(field.text), "\(uuid)")
            }
        }
        #expect(AssignedNumbers.name(ofUnit: BluetoothUUID(0x27C9)) == "Gravity (gₙ)")
        #expect(AssignedNumbers.name(ofCharacteristic: BluetoothUUID(0x2B8C)) == "CO₂ Concentration")
    }
}
