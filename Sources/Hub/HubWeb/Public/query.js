/// The part of an address behind the path; what is not set is left out, and of lists each is named by itself.
export function queryText(filter = {}) {
    const pairs = new URLSearchParams();
    for (const [name, value] of Object.entries(filter)) {
        if (value === undefined || value === null || value === "") continue;
        for (const one of Array.isArray(value) ? value : [value]) pairs.append(name, one);
    }
    const text = pairs.toString();
    return text ? `?${text}` : "";
}
