# SPDX-License-Identifier: Apache-2.0
"""What `generate-assigned-numbers` adds to what packages have, and what it changes in that."""

# Names where the packages are wrong, silent or unreadable, as in the SIG's Assigned Numbers.
NAMES = {
    "service": {0x1855: "Telephony and Media Audio", 0x1859: "Mesh Proxy Solicitation"},
    "descriptor": {
        0x2901: "Characteristic User Description",
        0x290F: "Complete BR-EDR Transport Block Data",
        0x2910: "Observation Schedule",
        0x2911: "Valid Range and Accuracy",
        0x2912: "Measurement Description",
        0x2913: "Manufacturer Limits",
        0x2914: "Process Tolerances",
        0x2915: "IMD Trigger Setting",
    },
    "characteristic": {0x2BF5: "LE GATT Security Levels"},
    "company": {0xFFFF: "Reserved for tests"},
}

TIME_ZONE = "s8,x15:0:0,n80,umin Time Zone"
DST = ("u8 DST Offset{0=Standard Time|2=Half an hour Daylight Time|4=Daylight Time|8=Double Daylight Time"
       "|255=DST offset unknown}")
# The Fitness Machine Service has two octets for a level of resistance, its tables of today one; both are met.
RESISTANCE = "u8 Minimum Resistance Level;u8 Maximum Resistance Level;u8 Minimum Increment"
# The Pulse Oximeter Service has no tables.
OXIMETRY = ("5=Measurement Ongoing|6=Early Estimate Data|7=Validated Data|8=Fully Qualified Data"
            "|9=Data from Measurement Storage|10=Data for Demonstration|11=Data for Testing|12=Calibration Ongoing"
            "|13=Measurement Unavailable|14=Questionable Measurement Detected|15=Invalid Measurement Detected")
OXIMETER = ("0=Extended Display Update Ongoing|1=Equipment Malfunction Detected"
            "|2=Signal Processing Irregularity Detected|3=Inadequate Signal Detected|4=Poor Signal Detected"
            "|5=Low Perfusion Detected|6=Erratic Signal Detected|7=Nonpulsatile Signal Detected"
            "|8=Questionable Pulse Detected|9=Signal Analysis Ongoing|10=Sensor Interference Detected"
            "|11=Sensor Unconnected to User|12=Unknown Sensor Connected|13=Sensor Displaced|14=Sensor Malfunctioning"
            "|15=Sensor Disconnected")
# Each octet of the three may be left out of a measurement, none of a status.
CGM = ("Session stopped", "Device battery low", "Sensor type incorrect for device", "Sensor malfunction",
       "Device specific alert", "General device fault", None, None,
       "Time synchronization required", "Calibration not allowed", "Calibration recommended", "Calibration required",
       "Sensor temperature too high", "Sensor temperature too low", "Calibration process pending", None,
       "Sensor result lower than the patient low level", "Sensor result higher than the patient high level",
       "Sensor result lower than the hypo level", "Sensor result higher than the hyper level",
       "Sensor rate of decrease exceeded", "Sensor rate of increase exceeded",
       "Sensor result lower than the device can process", "Sensor result higher than the device can process")


def cgm(words):
    return "{" + "|".join(f"{bit}={word}" for bit, word in enumerate(words) if word) + "}"


# Layouts from the Core Specification, from profiles, and where the tables say in words what `layouts.py` cannot read.
LAYOUTS = {
    "2a00": "t Name",
    "2a01": "appearance Appearance",
    "2a02": "u8 Privacy{0=off|1=on}",
    "2a04": "u16,x125:-2:0,nffff,ums Shortest Interval;u16,x125:-2:0,nffff,ums Longest Interval;"
            "u16 Latency;u16,x1:1:0,nffff,ums Supervision Timeout",
    "2a05": "h16 From;h16 To",
    "2a07": "s8,udBm Tx Power",
    "2a08": "date Date Time",
    "2a0e": TIME_ZONE,
    "2a0f": f"{TIME_ZONE};{DST}",
    "2a12": "u8,x1:0:-3,nff,us Accuracy{254=more than 31.625 s}",
    "2a14": "u8 Time Source{0=Unknown|1=Network Time Protocol|2=GPS|3=Radio Time Signal|4=Manual|5=Atomic Clock"
            "|6=Cellular Network|7=Not Synchronized};u8,x1:0:-3,nff,us Accuracy{254=more than 31.625 s}"
            ";u8,ud Days Since Update{255=255 d or more};u8,uh Hours Since Update{255=255 d or more}",
    "2a18": "b8 Flags{4=Context follows};u16 Sequence Number;date Base Time;s16,?0,umin Time Offset"
            ";m16,?1,!2,x1:5:0,umg/dl Glucose Concentration;m16,?1,?2,x1:3:0,ummol/l Glucose Concentration"
            ";b8,?1 Sample{0-3=Type:/Capillary Whole blood/Capillary Plasma/Venous Whole blood/Venous Plasma"
            "/Arterial Whole blood/Arterial Plasma/Undetermined Whole blood/Undetermined Plasma/Interstitial Fluid"
            "/Control Solution|4-7=Location:/Finger/Alternate Site Test/Earlobe/Control solution///////////not available}"
            ";b16,?3 Sensor Status{=no fault|0=Device battery low|1=Sensor malfunction|2=Sample size insufficient"
            "|3=Strip insertion error|4=Strip type incorrect|5=Sensor result too high|6=Sensor result too low"
            "|7=Sensor temperature too high|8=Sensor temperature too low|9=Sensor read interrupted"
            "|10=General device fault|11=Time fault}",
    "2a19": "u8,l100,u% Battery Level",
    "2a21": "u16,us Measurement Interval{0=No periodic measurement}",
    "2a34": "b8 Flags;u16 Sequence Number;b8,?7 Extended Flags;u8,?0 Carbohydrate{1=Breakfast|2=Lunch|3=Dinner|4=Snack"
            "|5=Drink|6=Supper|7=Brunch};m16,?0,x1:3:0,ug Amount of Carbohydrate;u8,?1 Meal{1=before a meal|2=after a meal"
            "|3=Fasting|4=Casual|5=Bedtime};b8,?2 Tester and Health{0-3=Tester:/Self/Health Care Professional/Lab test"
            "////////////not available|4-7=Health:/Minor health issues/Major health issues/During menses/Under stress"
            "/No health issues//////////not available};u16,?3,us Exercise Duration{65535=overrun}"
            ";u8,?3,u% Exercise Intensity;u8,?4 Medication{1=Rapid acting insulin|2=Short acting insulin"
            "|3=Intermediate acting insulin|4=Long acting insulin|5=Pre-mixed insulin}"
            ";m16,?4,!5,x1:6:0,umg Amount of Medication;m16,?4,?5,x1:3:0,uml Amount of Medication;m16,?6,u% HbA1c",
    "2a44": "u8 Command{0=Enable New Incoming Alert Notification|1=Enable Unread Category Status Notification"
            "|2=Disable New Incoming Alert Notification|3=Disable Unread Category Status Notification"
            "|4=Notify New Incoming Alert immediately|5=Notify Unread Category Status immediately}"
            ";u8 Category ID{0=Simple Alert|1=Email|2=News|3=Call|4=Missed Call|5=SMS or MMS|6=Voice Mail|7=Schedule"
            "|8=High Prioritized Alert|9=Instant Message|255=All}",
    "2a4a": "h16 Version;u8 Country;b8 Flags{0=remote wake|1=normally connectable}",
    "2a4b": "raw Report Map",
    "2a4c": "u8 Control{0=Suspend|1=Exit Suspend}",
    "2a4e": "u8 Protocol{0=Boot|1=Report}",
    "2a4f": "u16,x625:-3:0,ums Scan Interval;u16,x625:-3:0,ums Scan Window",
    "2a5e": "b8 Flags{4=the clock is not set};m16,u% SpO₂;m16,u/min Pulse Rate;date,?0 Time Stamp"
            f";b16,?1 Measurement Status{{{OXIMETRY}}};b24,?2 Device and Sensor Status{{{OXIMETER}}}"
            ";m16,?3,u% Pulse Amplitude Index",
    "2a5f": "b8 Flags;m16,u% SpO₂;m16,u/min Pulse Rate;m16,?0,u% SpO₂ Fast;m16,?0,u/min Pulse Rate Fast"
            ";m16,?1,u% SpO₂ Slow;m16,?1,u/min Pulse Rate Slow"
            f";b16,?2 Measurement Status{{{OXIMETRY}}};b24,?3 Device and Sensor Status{{{OXIMETER}}}"
            ";m16,?4,u% Pulse Amplitude Index",
    "2a60": "b16 Features{0=Measurement Status|1=Device and Sensor Status|2=Measurement Storage|3=Time Stamp|4=SpO₂ Fast"
            "|5=SpO₂ Slow|6=Pulse Amplitude Index|7=Multiple Bonds}"
            f";b16,?0 Measurement Status{{{OXIMETRY}}};b24,?1 Device and Sensor Status{{{OXIMETER}}}",
    "2a63": "b16 Flags{1=Balance is of the left pedal|3=Torque at:the wheel/the crank|12=Offset Compensation Indicator}"
            ";s16,uW Instantaneous Power;u8,?0,x1:0:-1,u% Pedal Power Balance;u16,?2,x1:0:-5,uNm Accumulated Torque"
            ";u32,?4 Cumulative Wheel Revolutions;u16,?4,x1:0:-11,us Last Wheel Event Time"
            ";u16,?5 Cumulative Crank Revolutions;u16,?5,x1:0:-10,us Last Crank Event Time"
            ";s16,?6,uN Maximum Force Magnitude;s16,?6,uN Minimum Force Magnitude"
            ";s16,?7,x1:0:-5,uNm Maximum Torque Magnitude;s16,?7,x1:0:-5,uNm Minimum Torque Magnitude"
            ";p24,?8,u° Maximum Angle and Minimum Angle"
            ";u16,?9,u° Top Dead Spot Angle;u16,?10,u° Bottom Dead Spot Angle;u16,?11,x1:3:0,uJ Accumulated Energy",
    "2a9c": "b16 Flags{12=more in another value};u16,x1:-1:0,u% Body Fat Percentage{65535=not measured}"
            ";date,?1 Time Stamp;u8,?2 User ID{255=unknown user};u16,?3,x1:3:0,uJ Basal Metabolism"
            ";u16,?4,x1:-1:0,u% Muscle Percentage"
            + "".join(f";u16,?{bit},!0,x5:-3:0,ukg {name};u16,?{bit},?0,x1:-2:0,ulb {name}" for bit, name in
                      ((5, "Muscle Mass"), (6, "Fat Free Mass"), (7, "Soft Lean Mass"), (8, "Body Water Mass")))
            + ";u16,?9,x1:-1:0,uΩ Impedance;u16,?10,!0,x5:-3:0,ukg Weight;u16,?10,?0,x1:-2:0,ulb Weight"
            ";u16,?11,!0,x1:-3:0,um Height;u16,?11,?0,x1:-1:0,uin Height",
    "2a9d": "b8 Flags;u16,!0,x5:-3:0,ukg Weight{65535=not measured};u16,?0,x1:-2:0,ulb Weight{65535=not measured}"
            ";date,?1 Time Stamp;u8,?2 User ID{255=unknown user};u16,?3,x1:-1:0,ukg/m² BMI"
            ";u16,?3,!0,x1:-3:0,um Height;u16,?3,?0,x1:-1:0,uin Height",
    "2aa9": "u16,umin Time Offset;b24 Status;h16,o CRC",
    "2aaa": f"date Session Start Time;{TIME_ZONE};{DST};h16,o CRC",
    "2aab": "u16,uh Session Run Time;h16,o CRC",
    "2acc": "b32 Features{0=Average Speed|1=Cadence|2=Total Distance|3=Inclination|4=Elevation Gain|5=Pace|6=Step Count"
            "|7=Resistance Level|8=Stride Count|9=Expended Energy|10=Heart Rate Measurement|11=Metabolic Equivalent"
            "|12=Elapsed Time|13=Remaining Time|14=Power Measurement|15=Force on Belt and Power Output"
            "|16=User Data Retention}"
            ";b32 Target Settings{0=Speed|1=Inclination|2=Resistance|3=Power|4=Heart Rate|5=Expended Energy"
            "|6=Step Number|7=Stride Number|8=Distance|9=Training Time|10=Time in Two Heart Rate Zones"
            "|11=Time in Three Heart Rate Zones|12=Time in Five Heart Rate Zones"
            "|13=Indoor Bike Simulation|14=Wheel Circumference|15=Spin Down Control|16=Cadence}",
    "2ad3": "b8 Flags{1=more text follows};u8 Training Status{0=Other|1=Idle|2=Warming Up|3=Low Intensity Interval"
            "|4=High Intensity Interval|5=Recovery Interval|6=Isometric|7=Heart Rate Control|8=Fitness Test"
            "|9=Speed too low|10=Speed too high|11=Cool Down|12=Watt Control|13=Manual Mode|14=Pre-Workout"
            "|15=Post-Workout};t,?0 Text",
    "2ad6": RESISTANCE + "~" + RESISTANCE.replace("u8", "s16,x1:-1:0"),
    "2b13": "e8 Time",
    "2b35": "b8 Flags{6=Epoch Start 2000 Flag:Epoch start is January 1, 1900/Epoch start is January 1, 2000}"
            ";m16,!0,ummHg Intermediate Cuff Pressure;m16,?0,x1:3:0,uPa Intermediate Cuff Pressure;u32,?1,us Time Stamp"
            ";m16,?2,u/min Pulse Rate;u8,?3 User ID;b16,?4 Measurement Status;u32,?5,us User Facing Time",
    "2be0": "u24,x1:0:-6,nffffff,uV High Voltage",
    "2bff": "b8 Flags;z,?0 UDI Label;z,?1 UDI Device Identifier;z,?2 UDI Issuer;z,?3 UDI Authority",
    "2a23": "h40 Manufacturer;h24 Organization",
    "2a37": "b8 Flags{1=contact|2=contact can be told};u8,!0,u/min Heart Rate;u16,?0,u/min Heart Rate;"
            "u16,?3,uJ Energy Expended;u16[],?4,x1:0:-10,us RR-interval",
    "2a50": "u8 Source{1=Bluetooth SIG|2=USB};h16 Vendor;h16 Product;h16 Version",
    "2aa6": "u8 Address Resolution{0=no|1=yes}",
    "2a64": "b8 Flags{4-5=Instantaneous Measurement Direction:Unknown/Tangential Component/Radial Component"
            "/Lateral Component};u16,?0 Cumulative Crank Revolutions;u16,?0,x1:0:-10,us Last Crank Event Time"
            ";u16,?1,u° First Crank Measurement Angle;s16[],?2,uN Instantaneous Force Magnitude"
            ";s16[],?3,x1:0:-5,uNm Instantaneous Torque Magnitude",
    "2aa7": "r8 Size;b8 Flags;m16,umg/dl Glucose Concentration;u16,umin Time Offset"
            f";b8,?7 Status{cgm(CGM[:8])};b8,?6 Calibration and Temperature{cgm(CGM[8:16])};b8,?5 Warning{cgm(CGM[16:])}"
            ";m16,?0,umg/dl/min Trend Information;m16,?1,u% Quality;h16,o CRC",
    # Of the Fitness Machine Service: what comes behind the first octet depends on it.
    "2ada": "u8 Status{1=Reset|2=Stopped or paused by the user|3=Stopped by the safety key"
            "|4=Started or resumed by the user|5=Target speed changed|6=Target incline changed"
            "|7=Target resistance level changed|8=Target power changed|9=Target heart rate changed"
            "|10=Targeted expended energy changed|11=Targeted number of steps changed"
            "|12=Targeted number of strides changed|13=Targeted distance changed|14=Targeted training time changed"
            "|15=Targeted time in two heart rate zones changed|16=Targeted time in three heart rate zones changed"
            "|17=Targeted time in five heart rate zones changed|18=Indoor bike simulation parameters changed"
            "|19=Wheel circumference changed|20=Spin down status|21=Targeted cadence changed|255=Control permission lost}"
            ";u8,=2 Control Information{1=Stop|2=Pause};u16,=5,x1:-2:0,ukm/h Target Speed"
            ";s16,=6,x1:-1:0,u% Target Incline;u8,=7,x1:-1:0 Target Resistance Level;s16,=8,uW Target Power"
            ";u8,=9,u/min Target Heart Rate;u16,=10,ukcal Targeted Expended Energy;u16,=11 Targeted Number of Steps"
            ";u16,=12 Targeted Number of Strides;u24,=13,um Targeted Distance;u16,=14,us Targeted Training Time"
            ";u16,=15,us Time in Fat Burn Zone;u16,=15,us Time in Fitness Zone"
            ";u16,=16,us Time in Light Zone;u16,=16,us Time in Moderate Zone;u16,=16,us Time in Hard Zone"
            ";u16,=17,us Time in Very Light Zone;u16,=17,us Time in Light Zone;u16,=17,us Time in Moderate Zone"
            ";u16,=17,us Time in Hard Zone;u16,=17,us Time in Maximum Zone"
            ";s16,=18,x1:-3:0,um/s Wind Speed;s16,=18,x1:-2:0,u% Grade;u8,=18,x1:-4:0 Coefficient of Rolling Resistance"
            ";u8,=18,x1:-2:0,ukg/m Wind Resistance Coefficient;u16,=19,x1:-1:0,umm Wheel Circumference"
            ";u8,=20 Spin Down{1=Requested|2=Success|3=Error|4=Stop pedaling};u16,=21,x5:-1:0,u/min Targeted Cadence",
    "2ac9": "u8 Private Addresses Only{0=yes}",
    "2b29": "b8 Features{0=robust caching|1=enhanced bearer|2=multiple notifications}",
    "2b2a": "raw Hash",
    "2b3a": "b8 Features{0=enhanced bearer}",
    "2900": "b16 Properties{0=reliable write|1=writable description}",
    "2901": "t Description",
    "2902": "b16 Values{=off|0=notifications on|1=indications on}",
    "2903": "b16 Values{=off|0=broadcast on}",
    "2904": "u8 Format{1=boolean|2=uint2|3=uint4|4=uint8|5=uint12|6=uint16|7=uint24|8=uint32|9=uint48|10=uint64"
            "|11=uint128|12=sint8|13=sint12|14=sint16|15=sint24|16=sint32|17=sint48|18=sint64|19=sint128|20=float32"
            "|21=float64|22=medfloat16|23=medfloat32|24=duint16|25=utf8s|26=utf16s|27=struct};s8 Exponent;unit Unit;u8 Namespace;h16 Description",
    "2908": "u8 Report;u8 Kind{1=input|2=output|3=feature}",
}


# What the tables say wrongly, or in words that `layouts.py` cannot read: a part of a line and what it should be.
CORRECTED = {
    # A year and a day of a date are no lengths of time.
    "2aed": [("u24,n0,ud Date", "day Date")],
    "2bec": [("u24,?0,ud Battery Manufacture", "day,?0 Battery Manufacture"),
             ("u24,?1,ud Battery Expiration", "day,?1 Battery Expiration")],
    "2bef": [("u24,ud Estimated", "day Estimated")],
    **{number: [("u16,uyears Year", "u16 Year"), ("u8,ud Day", "u8 Day")] for number in ("2a85", "2a86")},
    "2aa9": [("b24 Status", f"b24 Status{cgm(CGM)}")],
    "2acd": [("u8,?9,uMET", "u8,?9,x1:-1:0,uMET")],
    "2b4e": [("u24,?4,x1:1:0,um", "u24,?4,um")],
    "2bed": [("12-14=Charging Fault Reason:Battery/External Power source/Other",
              "12=Charging Fault by the Battery|13=Charging Fault by the External Power source|14=Other Charging Fault"),
             ("u8,?1 Battery Level", "u8,?1,u% Battery Level")],
    **{number: [(f"u8,?{bit},x1:1:0 Resistance Level", f"u8,?{bit} Resistance Level")]
       for number, bit in (("2ace", 7), ("2ad1", 7), ("2ad2", 5))},
}
# Where a part of a line has another size in older devices: what is tried when the line does not fit.
OLDER = {
    "2acd": ("u16,?5,us Instantaneous Pace;u16,?6,us Average Pace",
             "u8,?5,x1:-1:0,ukm/min Instantaneous Pace;u8,?6,x1:-1:0,ukm/min Average Pace"),
    "2ace": ("u8,?7 Resistance Level", "s16,?7,x1:-1:0 Resistance Level"),
    "2ad1": ("u8,?7 Resistance Level", "s16,?7 Resistance Level"),
    "2ad2": ("u8,?5 Resistance Level", "s16,?5 Resistance Level"),
    "2a47": ("b16 ", "b8 "),
    "2a48": ("b16 ", "b8 "),
}


def amended(number, line):
    """The layout of a number with what is changed in it."""
    for wrong, right in CORRECTED.get(number, ()):
        assert wrong in line, (number, wrong)
        line = line.replace(wrong, right)
    if number in OLDER:
        size, older = OLDER[number]
        assert size in line, (number, size)
        line += "~" + line.replace(size, older)
    return line


def is_amended(number, line):
    """Whether a layout has what is changed in that of its number."""
    today, _, older = line.partition("~")
    if number in OLDER and (OLDER[number][0] not in today or older != today.replace(*OLDER[number])):
        return False
    return all(right in line and (wrong in right or wrong not in line) for wrong, right in CORRECTED.get(number, ()))
