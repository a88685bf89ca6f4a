// SPDX-License-Identifier: Apache-2.0

import BLEAssignedNumbers
import BLEWire
import Testing

@Suite("constants for assigned numbers")
struct AssignedConstantsTests {
    @Test(
        "services are what they are called",
        arguments: [
            (.genericAccessService, "Generic Access"),
            (.genericAttributeService, "Generic Attribute"),
            (.immediateAlertService, "Immediate Alert"),
            (.linkLossService, "Link Loss"),
            (.txPowerService, "Tx Power"),
            (.currentTimeService, "Current Time"),
            (.glucoseService, "Glucose"),
            (.healthThermometerService, "Health Thermometer"),
            (.deviceInformationService, "Device Information"),
            (.heartRateService, "Heart Rate"),
            (.batteryService, "Battery"),
            (.bloodPressureService, "Blood Pressure"),
            (.humanInterfaceDeviceService, "Human Interface Device"),
            (.runningSpeedAndCadenceService, "Running Speed and Cadence"),
            (.cyclingSpeedAndCadenceService, "Cycling Speed and Cadence"),
            (.cyclingPowerService, "Cycling Power"),
            (.locationAndNavigationService, "Location and Navigation"),
            (.environmentalSensingService, "Environmental Sensing"),
            (.bodyCompositionService, "Body Composition"),
            (.weightScaleService, "Weight Scale"),
            (.pulseOximeterService, "Pulse Oximeter"),
            (.fitnessMachineService, "Fitness Machine"),
        ] as [(BluetoothUUID, String)])
    func service(uuid: BluetoothUUID, name: String) {
        #expect(AssignedNumbers.name(ofService: uuid) == name)
    }

    @Test(
        "characteristics are what they are called",
        arguments: [
            (.deviceName, "Device Name"),
            (.appearance, "Appearance"),
            (.alertLevel, "Alert Level"),
            (.txPowerLevel, "Tx Power Level"),
            (.glucoseMeasurement, "Glucose Measurement"),
            (.batteryLevel, "Battery Level"),
            (.temperatureMeasurement, "Temperature Measurement"),
            (.temperatureType, "Temperature Type"),
            (.systemID, "System ID"),
            (.modelNumber, "Model Number String"),
            (.serialNumber, "Serial Number String"),
            (.firmwareRevision, "Firmware Revision String"),
            (.hardwareRevision, "Hardware Revision String"),
            (.softwareRevision, "Software Revision String"),
            (.manufacturerName, "Manufacturer Name String"),
            (.currentTime, "Current Time"),
            (.bloodPressureMeasurement, "Blood Pressure Measurement"),
            (.heartRateMeasurement, "Heart Rate Measurement"),
            (.bodySensorLocation, "Body Sensor Location"),
            (.heartRateControlPoint, "Heart Rate Control Point"),
            (.pnpID, "PnP ID"),
            (.rscMeasurement, "RSC Measurement"),
            (.cscMeasurement, "CSC Measurement"),
            (.plxContinuousMeasurement, "PLX Continuous Measurement"),
            (.cyclingPowerMeasurement, "Cycling Power Measurement"),
            (.locationAndSpeed, "Location and Speed"),
            (.pressure, "Pressure"),
            (.temperature, "Temperature"),
            (.humidity, "Humidity"),
            (.weightMeasurement, "Weight Measurement"),
            (.indoorBikeData, "Indoor Bike Data"),
            (.fitnessMachineControlPoint, "Fitness Machine Control Point"),
        ] as [(BluetoothUUID, String)])
    func characteristic(uuid: BluetoothUUID, name: String) {
        #expect(AssignedNumbers.name(ofCharacteristic: uuid) == name)
    }
}
