// SPDX-License-Identifier: Apache-2.0

import CompanionHub
import CompanionText
import SwiftUI

/// One value: as it is now, what it says beside its octets, what can be written, and its log.
struct ExplorerValueView: View {
    let model: ExplorerModel
    let characteristic: GATT.Characteristic
    @Environment(\.dismiss) private var dismiss

    var body: some View {
        NavigationStack {
            List {
                LinkSection(held: model.device)
                if let trouble = model.device.trouble {
                    Section { Label(trouble, systemImage: "exclamationmark.triangle") }
                }
                now
                if !fields.isEmpty {
                    Section("What it says") {
                        ForEach(Array(fields.enumerated()), id: \.offset) { _, field in
                            LabeledContent(field.name, value: PrintableText.escaped(field.text))
                        }
                    }
                }
                if let plot = model.plot(of: handle) { ExplorerPlotSection(plot: plot) }
                if !characteristic.properties.isDisjoint(with: [.write, .writeWithoutResponse]) {
                    ExplorerWriteSection(model: model, characteristic: characteristic)
                }
                log
                if !characteristic.descriptors.isEmpty { descriptors }
            }
            .navigationTitle(ExplorerWords.name(characteristic, in: model.tree))
            .toolbar {
                ToolbarItem(placement: .confirmationAction) { Button("Done") { dismiss() } }
            }
        }
    }

    private var handle: AttributeHandle { characteristic.valueHandle }
    private var octets: [UInt8]? { model.octets(of: handle) }

    private var fields: [ExplorerModel.Field] { model.fields(of: characteristic) }

    private var now: some View {
        Section {
            VStack(alignment: .leading) {
                Text(
                    ExplorerWords.value(octets, model.tree?[handle], of: characteristic, in: model.tree)
                )
                .font(.title2)
                if let octets, !octets.isEmpty {
                    Text(DeviceWords.octets(octets)).font(.caption.monospaced()).foregroundStyle(.secondary)
                }
            }
            .accessibilityElement(children: .combine)
            .accessibilityAddTraits(.updatesFrequently)
            if characteristic.properties.contains(.read) {
                Button("Read", systemImage: "arrow.clockwise") { Task { await model.read(handle) } }
                    .disabled(!model.device.isOpen)
            }
            if !characteristic.properties.isDisjoint(with: [.notify, .indicate]) {
                Toggle(
                    "Listen",
                    isOn: Binding(
                        get: { model.isWatched(handle) },
                        set: { isOn in Task { await model.watch(handle, isOn: isOn) } })
                )
                .disabled(!model.device.isOpen)
            }
            LabeledContent("UUID") { Text(characteristic.uuid.pageText) }
            LabeledContent("Handle") { Text(ExplorerWords.handle(handle)) }
            LabeledContent("Properties") { Text(ExplorerWords.properties(characteristic.properties)) }
        }
    }

    private var descriptors: some View {
        Section("Descriptors") {
            ForEach(Array(characteristic.descriptors.enumerated()), id: \.offset) { _, descriptor in
                LabeledContent(
                    AttributeTarget.typed(descriptor.uuid, at: descriptor.handle).title
                        ?? descriptor.uuid.pageText,
                    value: ExplorerWords.descriptor(descriptor, in: model.tree))
            }
        }
    }

    private var log: some View {
        Section("Log") {
            let values = model.log(of: handle)
            if !values.isEmpty { ExplorerLogShare(model: model, characteristic: characteristic) }
            ForEach(values, id: \.number) { ExplorerLogRow(value: $0) }
            if values.isEmpty {
                Text("What is read, written and sent is listed here, the newest first.").foregroundStyle(
                    .secondary)
            }
        }
    }
}

/// Something that was read, written or sent.
private struct ExplorerLogRow: View {
    let value: ExplorerValue

    var body: some View {
        VStack(alignment: .leading) {
            HStack {
                Text(ExplorerWords.kind(value.kind))
                Spacer()
                Text(value.time.date, style: .time).foregroundStyle(.secondary)
            }
            if let octets = value.octets {
                Text(ExplorerWords.words(octets, value.attribute.target?.layout))
                Text(DeviceWords.octets(octets)).font(.caption.monospaced()).foregroundStyle(.secondary)
            }
            if let incomplete = value.incomplete { Text("There may be more: \(incomplete).").font(.caption) }
            if let error = value.error { Label(error, systemImage: "exclamationmark.triangle") }
        }
        .accessibilityElement(children: .combine)
    }
}

/// A value to be written; before the first one a person confirms that the device may be written to.
private struct ExplorerWriteSection: View {
    let model: ExplorerModel
    let characteristic: GATT.Characteristic
    @State private var text = ""
    @State private var form = WrittenForm.hex
    @State private var fault: String?
    @State private var written: Int?
    @State private var isAsked = false

    var body: some View {
        Section("Write") {
            Picker("Form", selection: $form) {
                Text("Hex").tag(WrittenForm.hex)
                Text("Text").tag(WrittenForm.text)
            }
            .pickerStyle(.segmented)
            TextField(form == .hex ? "Octets in hex, such as 01 FF A0" : "Text", text: $text)
                .textInputAutocapitalization(.never)
                .autocorrectionDisabled()
                .submitLabel(.send)
                .onSubmit { ask() }
                .accessibilityLabel("Value to write")
            if let fault { Label(fault, systemImage: "exclamationmark.triangle").foregroundStyle(Color.red) }
            if let written { Label("\(written) octets written.", systemImage: "checkmark.circle") }
            Button("Write") { ask() }
                .disabled(!model.device.isOpen || model.device.underWay > 0)
                .confirmationDialog(
                    "Write to this device?", isPresented: $isAsked, titleVisibility: .visible
                ) {
                    Button("Write to it") {
                        model.confirmWriting()
                        write()
                    }
                    Button("Leave it", role: .cancel) {}
                } message: {
                    Text(
                        "Nothing has been written to this device yet. A write can change what it does, and some changes cannot be undone."
                    )
                }
        }
        .onChange(of: text) { (fault, written) = (nil, nil) }
    }

    private func ask() {
        do throws(BadInput) {
            _ = try form.octets(of: text)
            fault = nil
        } catch {
            fault = error.description
            return
        }
        if model.isConfirmed { write() } else { isAsked = true }
    }

    private func write() {
        let octets: [UInt8]
        do throws(BadInput) { octets = try form.octets(of: text) } catch { return }
        let expectsResponse = characteristic.properties.contains(.write)
        Task {
            let isTaken = await model.write(
                octets, to: characteristic.valueHandle, expectsResponse: expectsResponse)
            written = isTaken ? octets.count : nil
            // What it is now, the device says.
            if isTaken, characteristic.properties.contains(.read) {
                await model.read(characteristic.valueHandle)
            }
        }
    }
}
