// SPDX-License-Identifier: Apache-2.0

// What apps ask for most; all names are in BLEAssignedNumbers, which the tests hold these against. A chip has no room for
// what it does not use.
#if !hasFeature(Embedded)

/// Services.
extension BluetoothUUID {
    /// Generic Access service.
    public static var genericAccessService: BluetoothUUID { BluetoothUUID(0x1800) }
    /// Generic Attribute service.
    public static var genericAttributeService: BluetoothUUID { BluetoothUUID(0x1801) }
    /// Immediate Alert service.
    public static var immediateAlertService: BluetoothUUID { BluetoothUUID(0x1802) }
    /// Link Loss service.
    public static var linkLossService: BluetoothUUID { BluetoothUUID(0x1803) }
    /// Tx Power service.
    public static var txPowerService: BluetoothUUID { BluetoothUUID(0x1804) }
    /// Current Time service.
    public static var currentTimeService: BluetoothUUID { BluetoothUUID(0x1805) }
    /// Glucose service.
    public static var glucoseService: BluetoothUUID { BluetoothUUID(0x1808) }
    /// Health Thermometer service.
    public static var healthThermometerService: BluetoothUUID { BluetoothUUID(0x1809) }
    /// Device Information service.
    public static var deviceInformationService: BluetoothUUID { BluetoothUUID(0x180A) }
    /// Heart Rate service.
    public static var heartRateService: BluetoothUUID { BluetoothUUID(0x180D) }
    /// Battery service.
    public static var batteryService: BluetoothUUID { BluetoothUUID(0x180F) }
    /// Blood Pressure service.
    public static var bloodPressureService: BluetoothUUID { BluetoothUUID(0x1810) }
    /// Human Interface Device service.
    public static var humanInterfaceDeviceService: BluetoothUUID { BluetoothUUID(0x1812) }
    /// Running Speed and Cadence service.
    public static var runningSpeedAndCadenceService: BluetoothUUID { BluetoothUUID(0x1814) }
    /// Cycling Speed and Cadence service.
    public static var cyclingSpeedAndCadenceService: BluetoothUUID { BluetoothUUID(0x1816) }
    /// Cycling Power service.
    public static var cyclingPowerService: BluetoothUUID { BluetoothUUID(0x1818) }
    /// Location and Navigation service.
    public static var locationAndNavigationService: BluetoothUUID { BluetoothUUID(0x1819) }
    /// Environmental Sensing service.
    public static var environmentalSensingService: BluetoothUUID { BluetoothUUID(0x181A) }
    /// Body Composition service.
    public static var bodyCompositionService: BluetoothUUID { BluetoothUUID(0x181B) }
    /// Weight Scale service.
    public static var weightScaleService: BluetoothUUID { BluetoothUUID(0x181D) }
    /// Pulse Oximeter service.
    public static var pulseOximeterService: BluetoothUUID { BluetoothUUID(0x1822) }
    /// Fitness Machine service.
    public static var fitnessMachineService: BluetoothUUID { BluetoothUUID(0x1826) }
}

/// Characteristics.
extension BluetoothUUID {
    /// Device Name.
    public static var deviceName: BluetoothUUID { BluetoothUUID(0x2A00) }
    /// Appearance.
    public static var appearance: BluetoothUUID { BluetoothUUID(0x2A01) }
    /// Alert Level.
    public static var alertLevel: BluetoothUUID { BluetoothUUID(0x2A06) }
    /// Tx Power Level.
    public static var txPowerLevel: BluetoothUUID { BluetoothUUID(0x2A07) }
    /// Glucose Measurement.
    public static var glucoseMeasurement: BluetoothUUID { BluetoothUUID(0x2A18) }
    /// Battery Level.
    public static var batteryLevel: BluetoothUUID { BluetoothUUID(0x2A19) }
    /// Temperature Measurement.
    public static var temperatureMeasurement: BluetoothUUID { BluetoothUUID(0x2A1C) }
    /// Temperature Type.
    public static var temperatureType: BluetoothUUID { BluetoothUUID(0x2A1D) }
    /// System ID.
    public static var systemID: BluetoothUUID { BluetoothUUID(0x2A23) }
    /// Model Number String.
    public static var modelNumber: BluetoothUUID { BluetoothUUID(0x2A24) }
    /// Serial Number String.
    public static var serialNumber: BluetoothUUID { BluetoothUUID(0x2A25) }
    /// Firmware Revision String.
    public static var firmwareRevision: BluetoothUUID { BluetoothUUID(0x2A26) }
    /// Hardware Revision String.
    public static var hardwareRevision: BluetoothUUID { BluetoothUUID(0x2A27) }
    /// Software Revision String.
    public static var softwareRevision: BluetoothUUID { BluetoothUUID(0x2A28) }
    /// Manufacturer Name String.
    public static var manufacturerName: BluetoothUUID { BluetoothUUID(0x2A29) }
    /// Current Time.
    public static var currentTime: BluetoothUUID { BluetoothUUID(0x2A2B) }
    /// Blood Pressure Measurement.
    public static var bloodPressureMeasurement: BluetoothUUID { BluetoothUUID(0x2A35) }
    /// Heart Rate Measurement.
    public static var heartRateMeasurement: BluetoothUUID { BluetoothUUID(0x2A37) }
    /// Body Sensor Location.
    public static var bodySensorLocation: BluetoothUUID { BluetoothUUID(0x2A38) }
    /// Heart Rate Control Point.
    public static var heartRateControlPoint: BluetoothUUID { BluetoothUUID(0x2A39) }
    /// PnP ID.
    public static var pnpID: BluetoothUUID { BluetoothUUID(0x2A50) }
    /// RSC Measurement.
    public static var rscMeasurement: BluetoothUUID { BluetoothUUID(0x2A53) }
    /// CSC Measurement.
    public static var cscMeasurement: BluetoothUUID { BluetoothUUID(0x2A5B) }
    /// PLX Continuous Measurement.
    public static var plxContinuousMeasurement: BluetoothUUID { BluetoothUUID(0x2A5F) }
    /// Cycling Power Measurement.
    public static var cyclingPowerMeasurement: BluetoothUUID { BluetoothUUID(0x2A63) }
    /// Location and Speed.
    public static var locationAndSpeed: BluetoothUUID { BluetoothUUID(0x2A67) }
    /// Pressure.
    public static var pressure: BluetoothUUID { BluetoothUUID(0x2A6D) }
    /// Temperature.
    public static var temperature: BluetoothUUID { BluetoothUUID(0x2A6E) }
    /// Humidity.
    public static var humidity: BluetoothUUID { BluetoothUUID(0x2A6F) }
    /// Weight Measurement.
    public static var weightMeasurement: BluetoothUUID { BluetoothUUID(0x2A9D) }
    /// Indoor Bike Data.
    public static var indoorBikeData: BluetoothUUID { BluetoothUUID(0x2AD2) }
    /// Fitness Machine Control Point.
    public static var fitnessMachineControlPoint: BluetoothUUID { BluetoothUUID(0x2AD9) }
}

#endif
