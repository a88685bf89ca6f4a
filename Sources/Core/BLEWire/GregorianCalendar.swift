// SPDX-License-Identifier: Apache-2.0

/// Days and dates of the Gregorian calendar, which counts back before its own beginning, too.
///
/// Dates are counted in eras of 400 years, which are 146 097 days each; years begin in March here, so that the odd day
/// comes last.
public enum GregorianCalendar {
    /// Days of an era of 400 years.
    private static let era: Int64 = 146_097
    /// Days from 1 March of the year 0 to 1 January 1970.
    private static let epoch: Int64 = 719_468

    /// Counts the days to a date.
    ///
    /// - Parameters:
    ///   - year: The year; 0 is the year before 1.
    ///   - month: 1 to 12.
    ///   - day: 1 to what the month has; days beyond that are those of the next months.
    /// - Returns: Days since 1 January 1970.
    public static func dayNumber(year: Int64, month: Int64, day: Int64) -> Int64 {
        let (eras, yearOfEra) = floorDivide(month > 2 ? year : year - 1, 400)
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return eras * era + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - epoch
    }

    /// Finds the date of a day.
    ///
    /// - Parameter dayNumber: Days since 1 January 1970, less than 10^12 of them.
    /// - Returns: The year, the month and the day, counted from 1.
    public static func date(ofDayNumber dayNumber: Int64) -> (year: Int64, month: Int, day: Int) {
        let (eras, dayOfEra) = floorDivide(dayNumber + epoch, era)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (
            eras * 400 + yearOfEra + (month <= 2 ? 1 : 0), Int(month),
            Int(dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
        )
    }

    /// Days of a month.
    ///
    /// - Parameters:
    ///   - month: 1 to 12.
    ///   - year: The year.
    /// - Returns: 28 to 31.
    public static func days(inMonth month: Int64, of year: Int64) -> Int64 {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Divides so that the rest is never negative.
    ///
    /// - Parameters:
    ///   - value: What is divided.
    ///   - divisor: By what; positive.
    /// - Returns: The quotient, rounded down, and the rest.
    public static func floorDivide(_ value: Int64, _ divisor: Int64) -> (quotient: Int64, rest: Int64) {
        let rest = value % divisor
        return rest < 0 ? (value / divisor - 1, rest + divisor) : (value / divisor, rest)
    }
}
