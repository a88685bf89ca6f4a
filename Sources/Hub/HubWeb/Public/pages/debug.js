export function open() { return {}; }
